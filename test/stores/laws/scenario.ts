import fc from 'fast-check'

/** What one attempt at a candidate comes to, in the order of the attempts that all instances make at it. */
export interface FleetStep {
  readonly class?: string
  readonly hintSecs?: number
  readonly afterMs: number
}

/** How a message travels: for so many milliseconds, never arriving, or when the scheduler picks it. */
export type Way = number | 'lost' | 'scheduled'

/** What a few processes that share a store live through. */
export interface FleetScenario {
  readonly instances: readonly { readonly skewMs: number }[]
  readonly candidates: readonly {
    readonly id: string
    readonly provider: string
    readonly credentials?: readonly string[]
    readonly steps: readonly FleetStep[]
  }[]
  readonly calls: readonly { readonly instance: number; readonly atMs: number; readonly timeoutMs: number }[]
  readonly answers: readonly {
    readonly instance: number
    readonly atMs: number
    readonly does: 'resolve' | 'decline'
    readonly provider: string
  }[]
  /** Candidates that a human lets everybody try again. */
  readonly revivals: readonly { readonly instance: number; readonly atMs: number; readonly candidate: string }[]
  /** Times at which everybody is cut off from the store, and for how long; it may come back empty. */
  readonly cuts: readonly { readonly atMs: number; readonly forMs: number; readonly empty: boolean }[]
  /** For each message in turn how it travels. Turns are taken again from the start. */
  readonly network: readonly Way[]
  /** Whose turn it is of the messages that are free to overtake each other. */
  readonly scheduler: fc.Scheduler
  readonly permanentFor: number
}

const someMs = fc.integer({ min: 0, max: 12_000 })

const step: fc.Arbitrary<FleetStep> = fc.record(
  {
    class: fc.oneof(
      { weight: 4, arbitrary: fc.constant('transient') },
      { weight: 2, arbitrary: fc.constant('auth_required') },
      { weight: 2, arbitrary: fc.constant('permanent') },
    ),
    hintSecs: fc.oneof(fc.constant(3), fc.constant(1.5), fc.constant(8), fc.constant(0)),
    afterMs: fc.constantFrom(0, 5, 300),
  },
  { requiredKeys: ['afterMs'] },
)

const provider = fc.constantFrom('p', 'q')

/** Scenarios over two to five instances. `network` says how messages travel. */
export function fleetScenarios(network: fc.Arbitrary<Way>, cuts: boolean): fc.Arbitrary<FleetScenario> {
  return fc.integer({ min: 2, max: 5 }).chain((count) => {
    const instance = fc.integer({ min: 0, max: count - 1 })
    return fc.record({
      instances: fc.array(fc.record({ skewMs: fc.constantFrom(0, 240_000, -180_000) }), {
        minLength: count,
        maxLength: count,
      }),
      candidates: fc.uniqueArray(
        fc.record(
          {
            id: fc.constantFrom('a', 'b', 'c'),
            provider,
            credentials: fc.constantFrom(['k1'], ['k1', 'k2']),
            steps: fc.array(step, { minLength: 1, maxLength: 5 }),
          },
          { requiredKeys: ['id', 'provider', 'steps'] },
        ),
        { selector: ({ id }) => id, minLength: 1, maxLength: 2 },
      ),
      calls: fc.array(fc.record({ instance, atMs: someMs, timeoutMs: fc.constantFrom(0, 6_000) }), {
        minLength: 2,
        maxLength: 7,
      }),
      answers: fc.array(
        fc.record({ instance, atMs: someMs, does: fc.constantFrom('resolve', 'resolve', 'decline'), provider }),
        { maxLength: 3 },
      ),
      revivals: fc.array(fc.record({ instance, atMs: someMs, candidate: fc.constantFrom('a', 'b') }), { maxLength: 3 }),
      cuts: cuts
        ? fc.array(fc.record({ atMs: someMs, forMs: fc.constantFrom(50, 3_000), empty: fc.boolean() }), {
            maxLength: 2,
          })
        : fc.constant([]),
      network: fc.array(network, { minLength: 1, maxLength: 12 }),
      scheduler: fc.scheduler(),
      permanentFor: fc.constantFrom(0, 0, 5_000),
    })
  }) as fc.Arbitrary<FleetScenario>
}

const beatMs = fc.integer({ min: 0, max: 16 }).map((half) => half * 500)
const told = fc.record({ class: fc.constant('transient'), hintSecs: fc.constantFrom(1.5, 8), afterMs: fc.constant(0) })

/** One candidate that is told to wait over and over, and revived meanwhile, by messages that come at once or never. */
export const revivals: fc.Arbitrary<FleetScenario> = fc.integer({ min: 2, max: 3 }).chain((count) => {
  const instance = fc.integer({ min: 0, max: count - 1 })
  return fc.record({
    instances: fc.constant(Array.from({ length: count }, () => ({ skewMs: 0 }))),
    candidates: fc
      .array(told, { minLength: 2, maxLength: 6 })
      .map((steps) => [{ id: 'a', provider: 'p', steps }] as const),
    calls: fc.array(fc.record({ instance, atMs: beatMs, timeoutMs: fc.constant(0) }), { minLength: 4, maxLength: 10 }),
    answers: fc.constant([]),
    revivals: fc.array(fc.record({ instance, atMs: beatMs, candidate: fc.constant('a') }), {
      minLength: 1,
      maxLength: 3,
    }),
    cuts: fc.array(fc.record({ atMs: beatMs, forMs: fc.constantFrom(750, 2_250), empty: fc.boolean() }), {
      maxLength: 2,
    }),
    network: fc.array(fc.constantFrom<Way>(0, 0, 'lost'), { minLength: 1, maxLength: 16 }),
    scheduler: fc.scheduler(),
    permanentFor: fc.constant(0),
  })
})

/** Messages that arrive at once. */
export const prompt: fc.Arbitrary<Way> = fc.constant(0)
/** Messages that are late, overtake each other, or are lost. */
export const hostile: fc.Arbitrary<Way> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<Way>(0, 1, 20, 400, 1_500, 4_000) },
  { weight: 3, arbitrary: fc.constant<Way>('scheduled') },
  { weight: 1, arbitrary: fc.constant<Way>('lost') },
)
