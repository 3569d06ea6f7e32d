import type { Share } from '../core/share.ts'
import type { StoreEntry } from './store.ts'

/** Whether what a store tells is an entry: others write there too, and a decision must not be made of anything. */
export function isSound(entry: unknown): entry is StoreEntry {
  if (typeof entry !== 'object' || entry === null) return false
  const { group, generation, marks } = entry as Partial<Record<keyof StoreEntry, unknown>>
  return (
    typeof group === 'string' &&
    /^[hbp]:/.test(group) &&
    Number.isSafeInteger(generation) &&
    typeof marks === 'object' &&
    marks !== null &&
    Object.values(marks).every((ms) => Number.isFinite(ms))
  )
}

/** Durations as times of the own clock. What was told from here comes back later, and would be longer each time. */
export function timesOf(entry: StoreEntry, held: Share, own: string, nowMs: number): Readonly<Record<string, number>> {
  const { generation, marks, by } = entry
  const isEcho = (name: string): boolean =>
    generation === held.generation && held.untilMs[name] !== undefined && by?.[name] === own
  return Object.fromEntries(
    Object.entries(marks).flatMap(([name, ms]) => (isEcho(name) ? [] : [[name, nowMs + ms] as const])),
  )
}
