import type { StoreEntry, StoreNews } from './store.ts'

/** More generations than there are answers of humans; one that is near the end of the numbers could not be raised. */
const MOST_GENERATIONS = 1e9

/** Whether what a store tells is news: others write there too, and a decision must not be made of anything. */
export function isNews(news: unknown): news is StoreNews {
  if (typeof news !== 'object' || news === null) return false
  const { atMs, entries } = news as Partial<Record<keyof StoreNews, unknown>>
  return isTime(atMs) && Array.isArray(entries)
}

/** Whether it is an entry. */
export function isSound(entry: unknown): entry is StoreEntry {
  if (typeof entry !== 'object' || entry === null) return false
  const { group, generation, sinceMs, lastMs, marks } = entry as Partial<Record<keyof StoreEntry, unknown>>
  return (
    typeof group === 'string' &&
    /^[hblp]:/.test(group) &&
    Number.isSafeInteger(generation) &&
    Number(generation) >= 0 &&
    Number(generation) < MOST_GENERATIONS &&
    isTime(sinceMs) &&
    isTime(lastMs) &&
    typeof marks === 'object' &&
    marks !== null &&
    Object.values(marks).every((mark) => isTime(mark?.untilMs) && isTime(mark?.setMs))
  )
}

/** Whether it is a time of a store's clock; 0 stands for none. */
export function isTime(ms: unknown): ms is number {
  return Number.isFinite(ms) && Number(ms) >= 0
}
