import { getEventListeners } from 'node:events'
import fc from 'fast-check'
import { type Candidate, createHealth, type Guard, type HealthEventName, heed } from 'heed'
import { constant } from 'heed/strategies/backoff/constant'
import { fakeClock } from 'heed/testing'
import { counted } from './support/counted-clock.ts'
import { asideProducer } from './support/failure.ts'
import { invocationOf } from './support/invocation.ts'
import type { Entry } from './support/log.ts'
import type { CallSpec, GuardSpec } from './support/scenario.ts'

/** Events in the midst of a call: an abort by one of their listeners finds heed between two steps. */
const MIDST = [
  'attempt',
  'failure',
  'retry',
  'advance',
  'pause',
  'resume',
  'reduce',
  'commit',
  'auth_prompt',
  'cooling',
  'malformed',
] as const satisfies readonly HealthEventName[]

/** When the caller aborts: inside of something, the nth time that it happens. */
export interface Trigger {
  readonly in: (typeof MIDST)[number] | 'invocation' | 'reduction' | 'reading'
  readonly nth: number
}

export const trigger: fc.Arbitrary<Trigger> = fc.record({
  in: fc.constantFrom(...MIDST, 'invocation' as const, 'reduction' as const, 'reading' as const),
  nth: fc.constantFrom(1, 1, 2, 3),
})

/** More than heed needs, and far fewer than a timer would. */
const TURNS = 24

/** What became of a call that was aborted from within. */
export interface Aborted {
  /** Whether the trigger came up. */
  readonly pulled: boolean
  readonly reason: object
  readonly error: unknown
  /** Whether the call settled within so many turns of the promise queue. */
  readonly atOnce: boolean
  readonly invokedLater: number
  readonly timersLeft: number
  readonly listenersLeft: number
}

/** Makes one call, aborts it where the trigger says, and watches what remains. */
export async function abortedBy(
  spec: CallSpec,
  { options, candidates }: GuardSpec,
  trigger: Trigger,
): Promise<Aborted> {
  const clock = fakeClock()
  const timers = counted(clock)
  const health = createHealth({ clock: timers.clock })
  const controller = new AbortController()
  const reason = { of: 'the caller' }
  const log: Entry[] = []
  let invocations = 0
  let invokedBefore = 0
  let pulled = false
  let settled = false
  let atOnce = false
  const counts = new Map<string, number>()

  const abort = async (): Promise<void> => {
    pulled = true
    invokedBefore = invocations
    controller.abort(reason)
    for (let turn = 0; turn < TURNS && !settled; turn += 1) await undefined
    atOnce = settled
  }
  const passes = (place: Trigger['in']): void => {
    counts.set(place, (counts.get(place) ?? 0) + 1)
    if (place === trigger.in && counts.get(place) === trigger.nth) void abort()
  }
  for (const name of MIDST) health.on(name, () => passes(name))

  const guard: Guard<Candidate> = heed<Candidate>({
    ...options,
    candidates,
    producer: asideProducer,
    backoff: constant(50),
    health,
    clock: timers.clock,
    random: () => 0.5,
  })
  const invocation = invocationOf(spec, 0, clock, log)
  const fn = (attempt: Parameters<typeof invocation>[0]): Promise<unknown> => {
    invocations += 1
    passes('invocation')
    return invocation(attempt)
  }
  const told = {
    abortSignal: controller.signal,
    input: 64,
    // Reduces after a while, so that an abort may come before it has.
    reduce: async (input: number): Promise<number> => {
      passes('reduction')
      await new Promise<void>((resolve) => {
        clock.setTimeout(resolve, 10)
      })
      return input / 2
    },
  }
  const made = async (): Promise<unknown> => {
    try {
      if (spec.via === 'execute') await guard.execute(fn, told)
      else if (spec.via === 'settle') {
        const outcome = await guard.settle(fn, told)
        return outcome.status === 'cancelled' ? outcome.error : undefined
      } else {
        const stream = guard.stream(fn as () => Promise<AsyncIterable<unknown>>, told)
        while ((await stream.next()).done !== true) passes('reading')
      }
      return undefined
    } catch (error) {
      return error
    } finally {
      settled = true
    }
  }
  const error = await clock.run(made())
  const timersLeft = timers.pending()
  const listenersLeft = getEventListeners(controller.signal, 'abort').length
  await clock.advance(3_600_000)
  return { pulled, reason, error, atOnce, invokedLater: invocations - invokedBefore, timersLeft, listenersLeft }
}
