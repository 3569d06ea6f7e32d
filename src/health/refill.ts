import { keepMs } from './group-marks.ts'
import type { Pending } from './outbox.ts'
import type { Shares } from './shares.ts'
import type { StoreEntry } from './store.ts'

/** A store that is behind by less is behind by its messages' time on the way. */
const BEHIND_MS = 100

/** What a store lacks of what is known here: it came back empty, or missed something while it could not be reached. */
export function missingIn(entries: readonly StoreEntry[], shares: Shares, nowMs: number): readonly Pending[] {
  const theirs = new Map(entries.map((entry) => [entry.group, entry]))
  const missing: Pending[] = []
  for (const [group, { generation, untilMs }] of shares.live(nowMs)) {
    const entry = theirs.get(group)
    const isBehind = generation > (entry?.generation ?? 0)
    const marks = entry?.generation === generation ? entry.marks : {}
    const lacking = Object.entries(untilMs).filter(([name, until]) => {
      const leftMs = marks[name] ?? Number.NEGATIVE_INFINITY
      return isBehind || (until > nowMs && !(nowMs + leftMs > until - BEHIND_MS))
    })
    if (lacking.length === 0) continue
    // In the generation that it is known of: what somebody has revived since stays revived.
    missing.push({ group, generation, untilMs: Object.fromEntries(lacking), keepMs: keepMs(group) })
  }
  return missing
}
