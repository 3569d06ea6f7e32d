import type { Target } from './candidate.ts'
import type { CoolingMark, Marks } from './marks.ts'
import type { Policy } from './policy.ts'

/** All targets of a target's candidate. */
export function siblings(policy: Pick<Policy, 'targets'>, { candidate }: Target): readonly Target[] {
  return policy.targets.filter((target) => target.candidate === candidate)
}

/** A target with another cooling mark. */
export function withCooling(marks: Marks, target: Target, mark: Omit<CoolingMark, 'candidate' | 'credential'>): Marks {
  const named = target.credential === undefined ? {} : { credential: target.credential }
  return {
    ...marks,
    cooling: { ...marks.cooling, [target.key]: { ...mark, candidate: target.candidate, ...named } },
  }
}

/** A hint's end: at once for all, or half-open, so that one probe goes first. */
export function withHint(marks: Marks, target: Target, untilMs: number, halfOpen: boolean): Marks {
  const old = marks.cooling[target.key]
  const openUntilMs = Math.max(untilMs, old?.openUntilMs ?? 0)
  return withCooling(marks, target, { ...old, untilMs, ...(halfOpen ? { openUntilMs } : {}) })
}

/** Opens the breaker of a target's candidate, for all of its credentials. */
export function openAll(
  policy: Pick<Policy, 'targets'>,
  marks: Marks,
  target: Target,
  coolMs: number,
  nowMs: number,
): Marks {
  return siblings(policy, target).reduce((opened, each) => {
    const untilMs = opened.cooling[each.key]?.untilMs ?? 0
    return withCooling(opened, each, { untilMs, openUntilMs: nowMs + coolMs, coolMs })
  }, marks)
}

/** A probe starts: what is half-open of its candidate is open to the others, for as long as its breaker cools. */
export function openForProbe(
  policy: Pick<Policy, 'targets'>,
  marks: Marks,
  target: Target,
  probeMs: number,
  nowMs: number,
): Marks {
  return withOpenUntil(policy, marks, target, nowMs + (marks.cooling[target.key]?.coolMs ?? probeMs))
}

/** What is half-open of a target's candidate is open until a time. */
export function withOpenUntil(
  policy: Pick<Policy, 'targets'>,
  marks: Marks,
  target: Target,
  openUntilMs: number,
): Marks {
  return siblings(policy, target).reduce((opened, each) => {
    const mark = opened.cooling[each.key]
    return mark?.openUntilMs === undefined ? opened : withCooling(opened, each, { ...mark, openUntilMs })
  }, marks)
}

/** A breaker is the candidate's: its probe closes it for all of its credentials. A hint is the credential's own. */
export function withBreakersClosed(policy: Pick<Policy, 'targets'>, marks: Marks, target: Target): Marks {
  return siblings(policy, target).reduce((closed, each) => {
    const mark = closed.cooling[each.key]
    const isClosed = mark?.openUntilMs !== undefined && (mark.coolMs !== undefined || each.key === target.key)
    if (isClosed) return withCooling(closed, each, { untilMs: mark.untilMs })
    // What kept it away longer was the lease of the probe that has served.
    return mark?.openUntilMs === undefined ? closed : withCooling(closed, each, { ...mark, openUntilMs: mark.untilMs })
  }, marks)
}
