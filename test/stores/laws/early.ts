import type { FleetEntry, FleetRun } from './drive.ts'

export type Hint = Extract<FleetEntry, { kind: 'hint' }>

/** Clocks of different starts round differently. */
const ROUNDING_MS = 0.001

/** What one instance has been told, by itself and by the store. */
class Knowledge {
  readonly hints = new Set<Hint>()
  readonly #generations = new Map<string, number>()

  revives(candidate: string): void {
    const group = `h:${candidate}`
    this.#generations.set(group, (this.#generations.get(group) ?? 0) + 1)
  }

  /** A store that has not heard of a revival yet tells what it has ended: that is no knowledge. */
  hears({ at, entries, own }: Extract<FleetEntry, { kind: 'told' }>, hints: readonly Hint[]): void {
    for (const { group, generation, marks, by } of entries) {
      if (generation < (this.#generations.get(group) ?? 0)) continue
      this.#generations.set(group, generation)
      for (const hint of hints) {
        const name = `k:${hint.credential}`
        const ms = group === `h:${hint.candidate}` && by?.[name] !== own ? marks[name] : undefined
        if (ms !== undefined && at + ms >= hint.untilMs) this.hints.add(hint)
      }
    }
  }
}

/** Attempts that an instance starts before a hint has passed that no revival has ended: any, or one that it knows of. */
export function early({ log }: FleetRun, all: boolean): readonly FleetEntry[] {
  const hints: Hint[] = []
  const known = new Map<number, Knowledge>()
  const revived = log.filter((entry) => entry.kind === 'revived')
  return log.filter((entry) => {
    const knowledge = known.get(entry.instance) ?? new Knowledge()
    known.set(entry.instance, knowledge)
    if (entry.kind === 'hint') {
      hints.push(entry)
      knowledge.hints.add(entry)
    }
    if (entry.kind === 'revived') knowledge.revives(entry.candidate)
    if (entry.kind === 'told') knowledge.hears(entry, hints)
    if (entry.kind !== 'invoked') return false
    const isRevived = ({ candidate, at }: Hint): boolean =>
      revived.some((one) => one.candidate === candidate && one.at <= entry.at && one.at >= at)
    return (all ? hints : [...knowledge.hints]).some(
      (hint) =>
        hint.candidate === entry.candidate &&
        hint.credential === entry.credential &&
        (hint.at < entry.at || !all) &&
        entry.at < hint.untilMs - ROUNDING_MS &&
        !isRevived(hint),
    )
  })
}
