import { NO_SHARE, type Share } from '../../core/share.ts'
import type { StoreEntry } from '../../health/store.ts'
import { check, show } from './check.ts'
import type { Process } from './store-process.ts'

/** What a case works with. */
export interface Setting {
  /** A group of its own. */
  readonly group: string
  readonly one: Process
  readonly other: Process
  /** The store's time when the case began, in whole milliseconds; all times are given from there. */
  readonly atMs: number
  /** An entry with marks by name, each until and set so long from then. */
  entry(marks: Readonly<Record<string, readonly [untilMs: number, setMs: number]>>, more?: Partial<Share>): StoreEntry
}

export function entryOf(
  group: string,
  atMs: number,
  marks: Readonly<Record<string, readonly [untilMs: number, setMs: number]>>,
  more: Partial<Share> = {},
): StoreEntry {
  const entries = Object.entries(marks).map(([name, [untilMs, setMs]]) => [
    name,
    { untilMs: atMs + untilMs, setMs: atMs + setMs },
  ])
  const lastMs = Math.max(more.sinceMs ?? 0, ...Object.values(marks).map(([untilMs]) => atMs + untilMs))
  return { ...NO_SHARE, group, lastMs, marks: Object.fromEntries(entries), ...more }
}

/** Whether a mark was set by then. */
export const has =
  (name: string, setMs: number, { atMs }: Setting) =>
  ({ marks }: StoreEntry): boolean =>
    marks[name]?.setMs === atMs + setMs

export function first({ firsts }: { readonly firsts: readonly boolean[] }, expected: boolean, what: string): void {
  check(firsts[0] === expected, () => `${what} was told ${expected ? 'not ' : ''}to be first`)
}

export function same(told: StoreEntry, expected: StoreEntry): void {
  const [one, other] = [sorted(told), sorted(expected)]
  check(one === other, () => `${expected.group} is told as ${one}; it must be ${other}`)
}

function sorted({ generation, sinceMs, lastMs, marks }: StoreEntry): string {
  const names = Object.keys(marks).sort()
  return show([generation, sinceMs, lastMs, names.map((name) => [name, marks[name]?.untilMs, marks[name]?.setMs])])
}
