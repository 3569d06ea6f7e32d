import type { Entry, Heard, Invoked, Returned, Settled } from './log.ts'
import type { Said } from './scenario.ts'

/** What happened to one call, in order. */
export interface CallLog {
  readonly call: number
  /** Absent where the call raised no event. */
  readonly callId: string | undefined
  readonly calledAt: number
  readonly entries: readonly Entry[]
  readonly invoked: readonly Invoked[]
  readonly settled: Settled
}

/**
 * The log by call. A call that made no attempt is known to its caller by no id: those are paired in the order in which
 * they came.
 */
export function callsOf(log: readonly Entry[]): readonly CallLog[] {
  const idOf = new Map<number, string>()
  for (const entry of log) if (entry.type === 'invoked') idOf.set(entry.call, entry.callId)
  const paired = new Set(idOf.values())
  const strangers = [...new Set(log.flatMap((entry) => eventCallId(entry) ?? []))].filter((id) => !paired.has(id))
  for (const entry of log) {
    if (entry.type !== 'called' || idOf.has(entry.call)) continue
    const id = strangers.shift()
    if (id !== undefined) idOf.set(entry.call, id)
  }
  if (strangers.length > 0) throw new Error(`events of calls that nobody made: ${strangers.join(', ')}`)
  return log.flatMap((called) => (called.type === 'called' ? [callLog(log, called.call, called.at, idOf)] : []))
}

function callLog(log: readonly Entry[], call: number, calledAt: number, idOf: ReadonlyMap<number, string>): CallLog {
  const callId = idOf.get(call)
  const entries = log.filter((entry) => {
    if ('invoked' in entry) return entry.invoked.call === call
    return 'call' in entry ? entry.call === call : callId !== undefined && eventCallId(entry) === callId
  })
  const settled = entries.find((entry) => entry.type === 'settled')
  if (settled === undefined) throw new Error(`call ${call} did not settle`)
  const invoked = entries.filter((entry) => entry.type === 'invoked')
  return { call, callId, calledAt, entries, invoked, settled }
}

function eventCallId(entry: Entry): string | undefined {
  return entry.type === 'event' ? (entry.event as { readonly callId?: string }).callId : undefined
}

/** A failure that a call heard of: what its invocation threw, and not a cut of heed's own. */
export interface HeardFailure {
  readonly type: 'heard'
  readonly invoked: Invoked
  readonly said: Said
  readonly error: unknown
  readonly at: number
}

/** Replaces the `failure` events that report a producer's failure by what the producer said, where they stand. */
export function withHeardFailures(log: readonly Entry[]): readonly (Exclude<Entry, Returned> | HeardFailure)[] {
  const returned = new Map<string, Returned>()
  const told: (Exclude<Entry, Returned> | HeardFailure)[] = []
  for (const entry of log) {
    if (entry.type === 'returned') returned.set(attemptKey(entry.invoked), entry)
    else told.push(heardAs(entry, returned) ?? entry)
  }
  return told
}

function heardAs(entry: Entry, returned: ReadonlyMap<string, Returned>): HeardFailure | undefined {
  if (entry.type !== 'event' || entry.name !== 'failure') return undefined
  const { event, at } = entry as Extract<Heard, { name: 'failure' }>
  if (event.found !== undefined) return undefined
  const source = returned.get(attemptKey(event))
  if (source?.said === undefined) throw new Error(`a failure that no invocation had: ${attemptKey(event)}`)
  return { type: 'heard', invoked: source.invoked, said: source.said, error: source.error, at }
}

function attemptKey({ callId, number }: { readonly callId: string; readonly number: number }): string {
  return `${callId} ${number}`
}
