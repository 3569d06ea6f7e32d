/**
 * What several processes know of one thing, as each of them keeps it: marks by name, each until a time of the keeper's
 * own clock. The same rule joins it everywhere, in any order and however often, so messages may be late, doubled or lost.
 */
export interface Share {
  /** Counts what wiped the marks out: an answer of a human, a recovery. A higher one replaces all that was before it. */
  readonly generation: number
  readonly untilMs: Readonly<Record<string, number>>
}

/** What is to be joined to a share. */
export interface Joining {
  /** The generation that the marks were observed in; `null`: they hold in whichever is the current one. */
  readonly generation: number | null
  /** Starts a new generation first. */
  readonly renew?: boolean | undefined
  readonly untilMs: Readonly<Record<string, number>>
}

/** Nothing known. */
export const NO_SHARE: Share = Object.freeze({ generation: 0, untilMs: Object.freeze({}) })

/** Joins: the later time of each mark, and nothing of an older generation. Answers the same object where it changes nothing. */
export function joined(held: Share, given: Joining): Share {
  const { untilMs } = given
  if (given.renew === true) {
    return { generation: Math.max(held.generation + 1, given.generation ?? 0), untilMs: { ...untilMs } }
  }
  const generation = given.generation ?? held.generation
  if (generation < held.generation) return held
  if (generation > held.generation) return { generation, untilMs: { ...untilMs } }
  const later = Object.entries(untilMs).filter(([name, until]) => !(until <= (held.untilMs[name] ?? -Infinity)))
  return later.length === 0 ? held : { generation, untilMs: { ...held.untilMs, ...Object.fromEntries(later) } }
}

/** Whether any mark has not passed. */
export function isLive(share: Share, nowMs: number): boolean {
  return Object.values(share.untilMs).some((until) => until > nowMs)
}

/** Whether joining put the first live mark there: of all who try, exactly one is told so. */
export function isFirst(before: Share, after: Share, nowMs: number): boolean {
  if (!isLive(after, nowMs)) return false
  return before.generation !== after.generation || !isLive(before, nowMs)
}

/** The time at which the last mark passes; `-Infinity` where there is none. */
export function lastMs(share: Share): number {
  return Math.max(...Object.values(share.untilMs))
}
