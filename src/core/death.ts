import { type CallState, candidateTallyOf } from './call-state.ts'
import { type Target, targetKey } from './candidate.ts'
import type { Classification } from './classification.ts'
import type { Marks } from './marks.ts'
import type { Limits, Policy } from './policy.ts'

/** A candidate that is permanently refused to every call. */
export interface DeadMark {
  readonly candidate: string
  readonly untilMs: number
}

/** Until it is revived: no clock gets there, and it is a number in JSON too. */
export const FOREVER_MS: number = Number.MAX_SAFE_INTEGER

/** Where a candidate's death is marked; never a bare id. */
export const deathKey = (candidate: string): string => targetKey(candidate, undefined)

/** A permanent refusal kills for other calls too, where the policy says so. */
export function withDeath(
  policy: Pick<Policy, 'targets'> & { readonly limits?: Pick<Limits, 'permanentForMs'> },
  marks: Marks,
  target: Target,
  { scope }: Classification,
  nowMs: number,
): Marks {
  const forMs = policy.limits?.permanentForMs ?? 0
  if (!(forMs > 0)) return marks
  const untilMs = Math.min(FOREVER_MS, nowMs + forMs)
  const dead = { ...marks.dead }
  for (const { candidate, provider } of policy.targets) {
    const dies = candidate === target.candidate || (scope === 'provider' && provider === target.provider)
    const key = deathKey(candidate)
    if (dies && !((dead[key]?.untilMs ?? 0) >= untilMs)) dead[key] = { candidate, untilMs }
  }
  return { ...marks, dead }
}

/** A candidate that is revived, or whose time has passed, is dead no more. */
export function withoutDeath(marks: Marks, candidate: string, nowMs: number = Number.POSITIVE_INFINITY): Marks {
  const key = deathKey(candidate)
  if (!((marks.dead?.[key]?.untilMs ?? Number.POSITIVE_INFINITY) <= nowMs)) return marks
  const { [key]: _gone, ...dead } = marks.dead ?? {}
  return { ...marks, dead }
}

/** Whether a candidate is permanently refused: to this call, or to every call for now. */
export function isDead(
  { state, marks, nowMs }: { readonly state: CallState; readonly marks: Marks; readonly nowMs: number },
  target: Target,
): boolean {
  if (candidateTallyOf(state, target).dead) return true
  return marks.dead !== undefined && (marks.dead[deathKey(target.candidate)]?.untilMs ?? 0) > nowMs
}

/** Whether every candidate of the chain is permanently refused. */
export function allDead(view: {
  readonly policy: Policy
  readonly state: CallState
  readonly marks: Marks
  readonly nowMs: number
}): boolean {
  return view.policy.candidates.every((candidate) => isDead(view, candidate))
}
