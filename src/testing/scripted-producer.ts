import type { Clock } from '../core/clock.ts'
import type { Attempt } from '../options.ts'

/** What one invocation does. */
export type Step =
  /** Answers a value. */
  | { readonly value: unknown; readonly afterMs?: number }
  /** Throws: an error with the contract's fields, or whatever you give. */
  | { readonly error: unknown; readonly afterMs?: number }
  /** Never settles by itself; rejects when the attempt's signal aborts. */
  | { readonly hangs: true }

/** One invocation that a scripted producer saw. */
export interface Invocation {
  readonly candidate: string
  readonly credential?: string
  /** When, by the clock. */
  readonly at: number
  readonly callId: string
  /** The attempt's number, from 1. */
  readonly number: number
}

/** A producer that fails as it is told and writes down what it was asked. */
export interface ScriptedProducer {
  /** Hand it to `guard.execute`. */
  readonly call: (attempt: Attempt<{ readonly id: string }, unknown>) => Promise<unknown>
  /** What it saw, in order. */
  readonly invocations: readonly Invocation[]
}

/** An error as a conforming producer throws it: the contract's fields, and nothing else to go by. */
export function producedError(
  errorClass: string,
  fields: { readonly retryAfterSecs?: number; readonly message?: string } = {},
): Error & { readonly class: string; readonly retry_after_secs?: number } {
  const { retryAfterSecs, message = `produced ${errorClass}` } = fields
  return Object.assign(
    new Error(message),
    { class: errorClass },
    retryAfterSecs === undefined ? {} : { retry_after_secs: retryAfterSecs },
  )
}

/**
 * Makes a producer from a script: a list of steps per candidate id, taken one per invocation; the last one is
 * repeated. A candidate without a script answers its own id.
 */
export function scriptedProducer(
  script: Readonly<Record<string, readonly Step[]>>,
  { clock }: { readonly clock: Clock },
): ScriptedProducer {
  const invocations: Invocation[] = []
  const taken = new Map<string, number>()
  return {
    invocations,
    call: async (attempt) => {
      const { id } = attempt.candidate
      const credential = credentialId(attempt.credential)
      invocations.push({
        candidate: id,
        ...(credential === undefined ? {} : { credential }),
        at: clock.now(),
        callId: attempt.callId,
        number: attempt.number,
      })
      const steps = Object.hasOwn(script, id) ? (script[id] ?? []) : []
      const turn = taken.get(id) ?? 0
      taken.set(id, turn + 1)
      const step = steps[Math.min(turn, steps.length - 1)] ?? { value: id }
      if ('hangs' in step) return hang(attempt.abortSignal)
      if (step.afterMs !== undefined) await sleep(clock, step.afterMs)
      if ('error' in step) throw step.error
      return step.value
    },
  }
}

function hang(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function sleep(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.setTimeout(resolve, delayMs)
  })
}

function credentialId(credential: unknown): string | undefined {
  if (typeof credential === 'string') return credential
  return (credential as { readonly id?: string } | undefined)?.id
}
