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
