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

/** A hint's end: at once for all, or half-open, so that one probe goes first and keeps the others away for `probeMs`. */
export function withHint(marks: Marks, target: Target, untilMs: number, probeMs: number | undefined): Marks {
  const old = marks.cooling[target.key]
  if (probeMs === undefined) return withCooling(marks, target, { ...old, untilMs })
  const openUntilMs = Math.max(untilMs, old?.openUntilMs ?? 0)
  return withCooling(marks, target, { untilMs, openUntilMs, coolMs: old?.coolMs ?? probeMs })
}

/** Opens the breaker of a target's candidate, for all of its credentials. */
export function openAll(
  policy: Pick<Policy, 'targets'>,
  marks: Marks,
  target: Target,
  coolMs: number,
  nowMs: number,
): Marks {
  return openEach(marks, siblings(policy, target), coolMs, nowMs)
}

/** A probe starts: what is half-open of its candidate is open to the others for as long as it cools. */
export function openForProbe(policy: Pick<Policy, 'targets'>, marks: Marks, target: Target, nowMs: number): Marks {
  const coolMs = marks.cooling[target.key]?.coolMs
  if (coolMs === undefined) return marks
  const halfOpen = siblings(policy, target).filter(({ key }) => marks.cooling[key]?.openUntilMs !== undefined)
  return openEach(marks, halfOpen, coolMs, nowMs)
}

function openEach(marks: Marks, targets: readonly Target[], coolMs: number, nowMs: number): Marks {
  return targets.reduce((opened, each) => {
    const untilMs = opened.cooling[each.key]?.untilMs ?? 0
    return withCooling(opened, each, { untilMs, openUntilMs: nowMs + coolMs, coolMs })
  }, marks)
}

/** A breaker is the candidate's: its probe closes it for all of the candidate's credentials. */
export function withBreakersClosed(policy: Pick<Policy, 'targets'>, marks: Marks, target: Target): Marks {
  return siblings(policy, target).reduce((closed, each) => {
    const mark = closed.cooling[each.key]
    return mark?.openUntilMs === undefined ? closed : withCooling(closed, each, { untilMs: mark.untilMs })
  }, marks)
}
