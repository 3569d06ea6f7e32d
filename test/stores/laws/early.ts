import type { FleetEntry, FleetRun } from './drive.ts'

export type Hint = Extract<FleetEntry, { kind: 'hint' }>

/** Clocks of different starts round differently. */
const ROUNDING_MS = 0.001

/** Attempts that an instance starts before a hint has passed that no revival has ended: any, or one that it knows of. */
export function early({ log, aheadMs }: FleetRun, all: boolean): readonly FleetEntry[] {
  const hints: Hint[] = []
  const known = new Map<number, Set<Hint>>()
  const revived = log.filter((entry) => entry.kind === 'revived')
  return log.filter((entry) => {
    const knows = known.get(entry.instance) ?? new Set()
    known.set(entry.instance, knows)
    if (entry.kind === 'hint') {
      hints.push(entry)
      knows.add(entry)
    }
    for (const { group, marks } of entry.kind === 'told' ? entry.entries : []) {
      for (const hint of hints) {
        const mark = group === `h:${hint.candidate}` ? marks[`k:${hint.credential}`] : undefined
        if (mark === undefined) continue
        if (mark.untilMs - aheadMs >= hint.untilMs && mark.setMs - aheadMs >= hint.at) knows.add(hint)
      }
    }
    if (entry.kind !== 'invoked') return false
    const isRevived = ({ candidate, at }: Hint): boolean =>
      revived.some((one) => one.candidate === candidate && one.at <= entry.at && one.at >= at)
    return (all ? hints : [...knows]).some(
      (hint) =>
        hint.candidate === entry.candidate &&
        hint.credential === entry.credential &&
        (hint.at < entry.at || !all) &&
        entry.at < hint.untilMs - ROUNDING_MS &&
        !isRevived(hint),
    )
  })
}
