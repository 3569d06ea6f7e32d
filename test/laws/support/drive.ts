import {
  type Attempt,
  type Candidate,
  type Clock,
  createHealth,
  type Guard,
  HEALTH_EVENTS,
  type Health,
  type HealthEventName,
  type HealthEvents,
  heed,
} from 'heed'
import { advanceThenPause } from 'heed/strategies/auth/advance-then-pause'
import { pause } from 'heed/strategies/auth/pause'
import { surface } from 'heed/strategies/auth/surface'
import { constant } from 'heed/strategies/backoff/constant'
import { type FakeClock, fakeClock } from 'heed/testing'
import { counted } from './counted-clock.ts'
import { asideProducer } from './failure.ts'
import { invocationOf } from './invocation.ts'
import type { Entry } from './log.ts'
import { randomOf } from './random.ts'
import type { CallSpec, GuardSpec, Scenario } from './scenario.ts'

const AUTH = { pause, advanceThenPause, surface }

/** What a scenario came to. */
export interface Run {
  /** Everything that happened, in order. */
  readonly log: readonly Entry[]
  readonly clock: FakeClock
  readonly guards: readonly Guard<Candidate>[]
  readonly health: Health
  /** Timers of heed's own that have not fired. The scenario's are not counted. */
  readonly heedTimers: () => number
  /** The signal of each call that has one. */
  readonly signals: readonly (AbortSignal | undefined)[]
}

/** What a test may change of a run. */
export interface DriveOptions {
  /** Called with the health before the first call: to add listeners of its own. */
  readonly prepare?: (health: Health) => void
  /** The events to write down. Default: all. */
  readonly events?: readonly HealthEventName[]
}

/** Runs a scenario until all its calls have settled. A call that never would makes the clock throw. */
export async function drive(scenario: Scenario, options: DriveOptions = {}): Promise<Run> {
  const clock = fakeClock()
  const { clock: heedClock, pending } = counted(clock)
  const log: Entry[] = []
  const health = createHealth({ clock: heedClock })
  options.prepare?.(health)
  for (const name of options.events ?? HEALTH_EVENTS) listen(health, name, clock, log)
  const random = randomOf(scenario.random)
  const guards = scenario.guards.map((spec) => guardOf(spec, health, heedClock, random))
  const signals: (AbortSignal | undefined)[] = []
  for (const answer of scenario.answers) {
    clock.setTimeout(() => {
      log.push({ type: 'answers', answer, at: clock.now() })
      if (answer.does === 'revive') health.revive(answer.name)
      else guards[0]?.auth[answer.does](answer.name)
    }, answer.atMs)
  }
  const calls = scenario.calls.map(async (spec, call) => {
    await new Promise<void>((resolve) => {
      clock.setTimeout(resolve, spec.startMs)
    })
    const controller = spec.abortAfterMs === undefined ? undefined : new AbortController()
    signals[call] = controller?.signal
    await makeCall(spec, call, guards[spec.guard] as Guard<Candidate>, clock, log, controller)
  })
  await clock.run(Promise.all(calls))
  return { log, clock, guards, health, heedTimers: pending, signals }
}

async function makeCall(
  spec: CallSpec,
  call: number,
  guard: Guard<Candidate>,
  clock: FakeClock,
  log: Entry[],
  controller: AbortController | undefined,
): Promise<void> {
  const abort = (): void => {
    const reason = { abortOf: call }
    log.push({ type: 'aborted', call, at: clock.now(), reason })
    controller?.abort(reason)
  }
  const { abortAfterMs } = spec
  if (abortAfterMs !== undefined && abortAfterMs < 0) abort()
  log.push({ type: 'called', call, at: clock.now() })
  const fn = invocationOf(spec, call, clock, log)
  const told = {
    input: 64,
    ...(controller === undefined ? {} : { abortSignal: controller.signal }),
    ...(spec.timeoutMs === undefined ? {} : { timeoutMs: spec.timeoutMs }),
    ...(spec.inputTokens === undefined ? {} : { inputTokens: spec.inputTokens }),
    ...(spec.idempotent === undefined ? {} : { idempotent: spec.idempotent }),
    ...(spec.reduce === undefined ? {} : { reduce: REDUCE[spec.reduce] }),
  }
  const work = end(spec, call, guard, fn, told, clock, log)
  if (abortAfterMs !== undefined && abortAfterMs >= 0) clock.setTimeout(abort, abortAfterMs)
  await work
}

const REDUCE = {
  smaller: (input: number): number => input / 2,
  same: (input: number): number => input,
  nothing: (): undefined => undefined,
  throws: (): never => {
    throw new Error('reduce gave up')
  },
}

type Told = { readonly input: number; readonly reduce?: (input: number) => number | undefined }

async function end(
  spec: CallSpec,
  call: number,
  guard: Guard<Candidate>,
  fn: (attempt: Attempt<Candidate, number>) => unknown,
  told: Told,
  clock: FakeClock,
  log: Entry[],
): Promise<void> {
  try {
    if (spec.via === 'settle') {
      const outcome = await guard.settle(fn, told)
      const ok = outcome.status === 'completed'
      const ended = ok ? { value: outcome.value } : { error: outcome.error }
      log.push({ type: 'settled', call, at: clock.now(), ok, ...ended, outcome })
      return
    }
    if (spec.via === 'execute') {
      const value = await guard.execute(fn, told)
      log.push({ type: 'settled', call, at: clock.now(), ok: true, value })
      return
    }
    for await (const item of guard.stream(
      fn as (attempt: Attempt<Candidate, number>) => AsyncIterable<unknown>,
      told,
    )) {
      log.push({ type: 'item', call, at: clock.now(), item })
    }
    log.push({ type: 'settled', call, at: clock.now(), ok: true })
  } catch (error) {
    log.push({ type: 'settled', call, at: clock.now(), ok: false, error })
  }
}

function guardOf(spec: GuardSpec, health: Health, clock: Clock, random: () => number): Guard<Candidate> {
  return heed<Candidate>({
    candidates: spec.candidates,
    producer: asideProducer,
    auth: AUTH[spec.auth],
    ...(spec.backoffMs === 'default' ? {} : { backoff: constant(spec.backoffMs) }),
    ...spec.options,
    health,
    clock,
    random,
  })
}

function listen<N extends HealthEventName>(health: Health, name: N, clock: FakeClock, log: Entry[]): void {
  health.on(name, (event: HealthEvents[N]) => {
    log.push({ type: 'event', name, event, at: clock.now() } as unknown as Entry)
  })
}
