import { getEventListeners } from 'node:events'
import fc from 'fast-check'
import { type Attempt, type Candidate, createHealth, type HeedStream, heed } from 'heed'
import { fakeClock } from 'heed/testing'
import { callOf, chain, guardOver } from './support/arbitraries.ts'
import { counted } from './support/counted-clock.ts'
import { asideProducer } from './support/failure.ts'
import { invocationOf } from './support/invocation.ts'
import { type Entry, entries } from './support/log.ts'
import type { CallSpec, GuardSpec, Step } from './support/scenario.ts'

/** How a consumer goes away before the end. */
export interface Leaving {
  readonly call: CallSpec
  readonly guard: GuardSpec
  readonly by: 'return' | 'cancel' | 'forgetting'
  /** Whether it reads `opened` before anything else. */
  readonly opens: boolean
  /** Milliseconds after its first read. */
  readonly afterMs: number
}

export const leavingOf = (steps: fc.Arbitrary<Step>): fc.Arbitrary<Leaving> =>
  fc.record({
    call: callOf(1, steps, 'stream').map(({ abortAfterMs: _never, ...call }) => call),
    guard: guardOver(chain).map((guard) => ({
      ...guard,
      options: { ...guard.options, timeoutMs: guard.options.timeoutMs || 60_000, idleTimeoutMs: 1_000 },
    })),
    by: fc.constantFrom('return', 'cancel', 'forgetting'),
    opens: fc.boolean(),
    afterMs: fc.constantFrom(0, 0, 1, 5, 15, 100, 1_000, 3_000),
  })

/** What remains when the consumer has left. */
export interface Left {
  readonly timers: number
  readonly listeners: number
  readonly invokedLater: number
  /** Sources that were opened, and neither ended nor were closed. */
  readonly open: number
  readonly log: readonly Entry[]
}

/** Reads a stream for a while, leaves it, and looks what remains. */
export async function leave({ call, guard, by, opens, afterMs }: Leaving): Promise<Left> {
  const clock = fakeClock()
  const { clock: heedClock, pending } = counted(clock)
  const { signal } = new AbortController()
  const log: Entry[] = []
  const health = createHealth({ clock: heedClock })
  health.on('success', (event) => log.push({ type: 'event', name: 'success', event, at: clock.now() }))
  health.on('surface', (event) => log.push({ type: 'event', name: 'surface', event, at: clock.now() }))
  const served = heed<Candidate>({
    ...guard.options,
    candidates: guard.candidates,
    producer: asideProducer,
    health,
    clock: heedClock,
    random: () => 0,
  })
  const open = new Set<object>()
  const invocation = invocationOf(call, 0, clock, log)
  const fn = async (attempt: Attempt<Candidate, number>): Promise<AsyncIterable<unknown>> =>
    watched((await invocation(attempt)) as AsyncIterable<unknown>, open)
  const stream: HeedStream<unknown, Candidate> = served.stream(fn, { input: 64, abortSignal: signal })
  if (opens) stream.opened.catch(() => undefined)
  await (by === 'cancel' ? cancels : returns)(stream, () => clock.advance(afterMs), by === 'forgetting')
  // Who forgets a stream has its limits end it: in the end that of silence, or the deadline.
  if (by === 'forgetting') await clock.advance(3_600_000)
  else await clock.advance(0)
  const [timers, listeners, invoked] = [
    pending(),
    getEventListeners(signal, 'abort').length,
    entries(log, 'invoked').length,
  ]
  await clock.advance(3_600_000)
  return {
    timers,
    listeners,
    invokedLater: entries(log, 'invoked').length - invoked,
    open: open.size,
    log,
  }
}

/** A source that counts as open from its arrival until it has ended, failed or been closed. */
function watched(source: AsyncIterable<unknown>, open: Set<object>): AsyncIterable<unknown> {
  open.add(source)
  return {
    [Symbol.asyncIterator]: () => {
      const iterator = source[Symbol.asyncIterator]()
      return {
        next: async () => {
          try {
            const result = await iterator.next()
            if (result.done === true) open.delete(source)
            return result
          } catch (error) {
            open.delete(source)
            throw error
          }
        },
        return: async () => {
          open.delete(source)
          return (await iterator.return?.()) ?? { done: true, value: undefined }
        },
      }
    },
  }
}

type Reads = (
  stream: HeedStream<unknown, Candidate>,
  whileItReads: () => Promise<void>,
  forgets: boolean,
) => Promise<void>

const returns: Reads = async (stream, whileItReads, forgets) => {
  const read = async (): Promise<void> => {
    while ((await stream.next()).done !== true);
  }
  read().catch(() => undefined)
  await whileItReads()
  // A source that is busy closes when it is done; whoever leaves it does not wait for that.
  if (!forgets) await stream.return()
}

const cancels: Reads = async (stream, whileItReads) => {
  const reader = stream.toReadableStream().getReader()
  const read = async (): Promise<void> => {
    while (!(await reader.read()).done);
  }
  read().catch(() => undefined)
  await whileItReads()
  await reader.cancel('enough').catch(() => undefined)
}
