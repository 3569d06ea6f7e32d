import { type CallState, refusalsAt } from './call-state.ts'
import type { Target } from './candidate.ts'
import { openAll, openForProbe, siblings, withBreakersClosed, withHint, withOpenUntil } from './cooling.ts'
import { type DeadMark, deathKey, withDeath, withoutDeath } from './death.ts'
import type { Failure } from './decision.ts'
import { hintMs, isHint } from './delay.ts'
import { decidingClass } from './fold-failure.ts'
import type { Limits, Policy } from './policy.ts'

/** What is remembered of a target across calls. Times are of the monotonic clock. */
export interface CoolingMark {
  readonly candidate: string
  readonly credential?: string
  /** The producer's hint has passed at this time. */
  readonly untilMs: number
  /** Nobody but a probe goes before this time, and from then on one at a time: a breaker opened, or a hint of several processes'. */
  readonly openUntilMs?: number
  /** How long the breaker cools, and again when a probe is under way. Absent: there is none. */
  readonly coolMs?: number
}

/** What is remembered of a provider across calls. */
export interface ProviderMark {
  /** Counts the answers of humans; a refusal of an older generation says nothing about the credentials of now. */
  readonly generation: number
  /** Ids of refused credentials; the empty string stands for a candidate that lists none. */
  readonly refused: readonly string[]
  /** No call may start an attempt at the provider until it is resolved. */
  readonly blocked: boolean
  /** A human said no: skipped without pause or prompt until it is resolved. */
  readonly declined: boolean
}

/** All that calls share, as plain JSON values. */
export interface Marks {
  /** By target key. */
  readonly cooling: Readonly<Record<string, CoolingMark>>
  /** By provider. */
  readonly providers: Readonly<Record<string, ProviderMark>>
  /** Repeats in hand, by candidate id. Absent means the policy's start. */
  readonly budget: Readonly<Record<string, number>>
  /** Candidates that are permanently refused to every call. Absent where `permanentFor` is 0. */
  readonly dead?: Readonly<Record<string, DeadMark>>
}

/** What observing needs of a policy. */
export type ObservingPolicy = Pick<Policy, 'targets'> & { readonly limits?: Pick<Limits, 'permanentForMs'> }

/** What can change the marks. */
export type Observation =
  | {
      readonly kind: 'failure'
      readonly failure: Failure
      /** The call before the failure: it knows how many credentials of the candidate it has seen refused. */
      readonly state: CallState
      readonly nowMs: number
      /** What a hint cools ends half-open: one probe goes first. */
      readonly halfOpen?: boolean
    }
  | { readonly kind: 'success'; readonly target: Target; readonly probe: boolean; readonly nowMs: number }
  /** A breaker opened for the target's candidate. */
  | { readonly kind: 'opened'; readonly target: Target; readonly coolMs: number; readonly nowMs: number }
  /** A probe starts: the other calls go on seeing the target open, without a breaker for `probeMs`. */
  | { readonly kind: 'probe'; readonly target: Target; readonly probeMs: number; readonly nowMs: number }
  /** A probe has ended and says nothing of its target: another may go. */
  | { readonly kind: 'unproven'; readonly target: Target; readonly nowMs: number }
  | { readonly kind: 'resolved'; readonly provider: string }
  | { readonly kind: 'declined'; readonly provider: string }
  | { readonly kind: 'revived'; readonly candidate: string }

/** No marks at all. */
export const NO_MARKS: Marks = Object.freeze({ cooling: {}, providers: {}, budget: {} })

/** A provider that nobody has refused anything. */
export const FRESH_PROVIDER: ProviderMark = Object.freeze({
  generation: 0,
  refused: Object.freeze([]),
  blocked: false,
  declined: false,
})

/** A call tries at most two credentials of a candidate: a third refusal in a row is no longer one bad key. */
const CREDENTIALS_PER_CALL = 2

/** The mark of a provider; ids are the user's, so a name like `constructor` must find nothing. */
export function providerMark(marks: Pick<Marks, 'providers'>, provider: string): ProviderMark {
  return Object.hasOwn(marks.providers, provider) ? (marks.providers[provider] ?? FRESH_PROVIDER) : FRESH_PROVIDER
}

/** Whether the credential of a target is refused. */
export function isRefused(mark: ProviderMark, target: Target): boolean {
  return mark.refused.length > 0 && mark.refused.includes(target.credential ?? '')
}

/** Whether nothing at all stands against a target. */
export function isUnmarked(marks: Omit<Marks, 'budget'>, target: Target): boolean {
  const provider = providerMark(marks, target.provider)
  return (
    marks.cooling[target.key] === undefined &&
    marks.dead?.[deathKey(target.candidate)] === undefined &&
    !provider.blocked &&
    !provider.declined &&
    !isRefused(provider, target)
  )
}

/** When a cooling mark lets the target go, or 0 where it has none. */
export function coolingUntilMs(marks: Marks, target: Target): number {
  const mark = marks.cooling[target.key]
  if (mark === undefined) return 0
  return mark.openUntilMs === undefined ? mark.untilMs : Math.max(mark.untilMs, mark.openUntilMs)
}

/** Folds what happened into the marks. Answers the same object where it changes nothing. */
export function observe(policy: ObservingPolicy, marks: Marks, observation: Observation): Marks {
  switch (observation.kind) {
    case 'failure':
      return observeFailure(policy, marks, observation)
    case 'success':
      return observeSuccess(policy, marks, observation.target, observation.probe, observation.nowMs)
    case 'opened':
      return openAll(policy, marks, observation.target, observation.coolMs, observation.nowMs)
    case 'probe':
      return openForProbe(policy, marks, observation.target, observation.probeMs, observation.nowMs)
    case 'unproven':
      return withOpenUntil(policy, marks, observation.target, observation.nowMs)
    case 'resolved': {
      const { generation } = providerMark(marks, observation.provider)
      return withProvider(marks, observation.provider, { ...FRESH_PROVIDER, generation: generation + 1 })
    }
    case 'declined':
      return withProvider(marks, observation.provider, {
        ...providerMark(marks, observation.provider),
        declined: true,
      })
    case 'revived':
      return {
        ...withoutDeath(marks, observation.candidate),
        cooling: Object.fromEntries(
          Object.entries(marks.cooling).filter(([, mark]) => mark.candidate !== observation.candidate),
        ),
      }
  }
}

function observeFailure(
  policy: ObservingPolicy,
  marks: Marks,
  { failure, state, nowMs, halfOpen = false }: Extract<Observation, { kind: 'failure' }>,
): Marks {
  const { classification, target } = failure
  if (
    decidingClass(state, failure) === 'transient' &&
    isHint(classification.retryAfterSecs) &&
    classification.retryAfterSecs > 0
  ) {
    const untilMs = nowMs + hintMs(classification.retryAfterSecs)
    const old = marks.cooling[target.key]
    // Another call may have been told a later time: the floor is the later of the two.
    return old !== undefined && old.untilMs >= untilMs ? marks : withHint(marks, target, untilMs, halfOpen)
  }
  if (classification.class === 'permanent') return withDeath(policy, marks, target, classification, nowMs)
  if (classification.class === 'auth_required') {
    const mark = providerMark(marks, target.provider)
    if (mark.generation !== failure.generation || mark.declined) return marks
    const refused = isRefused(mark, target) ? mark.refused : [...mark.refused, target.credential ?? '']
    const another = siblings(policy, target).some((other) => !refused.includes(other.credential ?? ''))
    const refusals = refusalsAt(state, target, failure.generation) + 1
    const blocked = mark.blocked || !another || refusals >= CREDENTIALS_PER_CALL
    if (refused === mark.refused && blocked === mark.blocked) return marks
    return withProvider(marks, target.provider, { ...mark, refused, blocked })
  }
  return marks
}

/** A success ends what has run out; a hint that has not passed stays, for it binds whoever comes next. */
function observeSuccess(
  policy: Pick<Policy, 'targets'>,
  marks: Marks,
  target: Target,
  probe: boolean,
  nowMs: number,
): Marks {
  const alive = withoutDeath(marks, target.candidate, nowMs)
  const closed = probe ? withBreakersClosed(policy, alive, target) : alive
  const mark = closed.cooling[target.key]
  if (mark === undefined || mark.openUntilMs !== undefined || mark.untilMs > nowMs) return closed
  const { [target.key]: _gone, ...cooling } = closed.cooling
  return { ...closed, cooling }
}

function withProvider(marks: Marks, provider: string, mark: ProviderMark): Marks {
  return { ...marks, providers: { ...marks.providers, [provider]: mark } }
}
