import { type Candidate, type Guard, type HealthEventName, type HeedOptions, heed } from 'heed'
import { type FakeClock, fakeClock } from 'heed/testing'

/** All event names, so that a scene hears everything. */
export const EVENT_NAMES = [
  'attempt',
  'failure',
  'retry',
  'advance',
  'pause',
  'resume',
  'reduce',
  'commit',
  'success',
  'surface',
  'passthrough',
  'auth_prompt',
  'auth_resolved',
  'cooling',
  'recovered',
  'chain_dead',
  'malformed',
  'listener_fault',
] as const satisfies readonly HealthEventName[]

/** An event as it was heard, its name beside. */
export interface Heard {
  readonly event: HealthEventName
  readonly [field: string]: unknown
}

/** A guard on a fake clock, with all that its channel said. */
export interface Scene<C extends Candidate> {
  readonly guard: Guard<C>
  readonly clock: FakeClock
  readonly heard: readonly Heard[]
  /** The names of the events heard, in order. */
  names(): readonly HealthEventName[]
  /** The events of one name, in order. */
  of(name: HealthEventName): readonly Heard[]
}

/** Sets a scene: no randomness, a backoff of 100 ms, and whatever the test says. */
export function scene<C extends Candidate>(
  options: Omit<HeedOptions<C>, 'clock'> & { readonly clock?: FakeClock },
): Scene<C> {
  const clock = options.clock ?? fakeClock()
  const guard = heed<C>({ random: () => 0, backoff: () => 100, ...options, clock })
  const heard: Heard[] = []
  for (const name of EVENT_NAMES) {
    guard.health.on(name, (event) => {
      heard.push({ ...event, event: name })
    })
  }
  return {
    guard,
    clock,
    heard,
    names: () => heard.map(({ event }) => event),
    of: (name) => heard.filter(({ event }) => event === name),
  }
}

/** Candidates named `a`, `b`, … each at a provider of its own. */
export const A = { id: 'a', provider: 'p' } as const
export const B = { id: 'b', provider: 'q' } as const
export const C = { id: 'c', provider: 'r' } as const

/** What a promise settles to, as a value. */
export async function outcomeOf<T>(work: PromiseLike<T>): Promise<{ value: T } | { error: unknown }> {
  try {
    return { value: await work }
  } catch (error) {
    return { error }
  }
}
