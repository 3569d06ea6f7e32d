/** One mark: until when it holds, and when it was set. */
export interface SharedMark {
  readonly untilMs: number
  readonly setMs: number
}

/**
 * What several processes know of one thing, by the clock that they share. The same rule joins it everywhere and however
 * often, so messages may be late, doubled or lost: what the store holds in the end is what all come to.
 */
export interface Share {
  /** Counts the answers of humans about a provider: a higher one replaces all of a lower. 0 for all else. */
  readonly generation: number
  /** Marks that were set until then are gone: a human knew better, or the candidate has served. 0: never. */
  readonly sinceMs: number
  /** When the last of all marks passes that there ever were: from then on nothing of them can come back. */
  readonly lastMs: number
  readonly marks: Readonly<Record<string, SharedMark>>
}

/** Nothing known. */
export const NO_SHARE: Share = Object.freeze({
  generation: 0,
  sinceMs: 0,
  lastMs: 0,
  marks: Object.freeze({}),
})

/** What a late message, or a process that was away, may be behind by. */
export const LINGER_MS = 600_000

/** Whether a share has nothing more to say to anybody. */
export const isOver = ({ lastMs }: Share, nowMs: number): boolean => lastMs + LINGER_MS <= nowMs

/**
 * Joins: of each mark the later end and the later setting, and nothing that was set before what ended it. Answers the
 * first object where the other says nothing new.
 */
export function joined(held: Share, given: Share): Share {
  const sinceMs = Math.max(held.sinceMs, given.sinceMs)
  const newest = Math.max(held.generation, given.generation)
  const marks = new Map<string, SharedMark>()
  let lastMs = Math.max(held.lastMs, given.lastMs, sinceMs)
  for (const share of [held, given]) {
    for (const [name, mark] of Object.entries(share.marks)) {
      lastMs = Math.max(lastMs, mark.untilMs)
      if (share.generation === newest && mark.setMs > sinceMs) marks.set(name, later(marks.get(name), mark))
    }
  }
  // A late answer is one of its own, unless there were refusals since.
  const isLate = marks.size === 0 && (isLateAnswer(held, given) || isLateAnswer(given, held))
  const generation = isLate ? newest + 1 : newest
  const isSame =
    generation === held.generation &&
    sinceMs === held.sinceMs &&
    lastMs === held.lastMs &&
    [...marks].every(([name, mark]) => held.marks[name] === mark)
  return isSame ? held : { generation, sinceMs, lastMs, marks: Object.fromEntries(marks) }
}

function later(held: SharedMark | undefined, given: SharedMark): SharedMark {
  if (held === undefined || (given.untilMs >= held.untilMs && given.setMs >= held.setMs)) {
    return held?.untilMs === given.untilMs && held.setMs === given.setMs ? held : given
  }
  if (held.untilMs >= given.untilMs && held.setMs >= given.setMs) return held
  return { untilMs: Math.max(held.untilMs, given.untilMs), setMs: Math.max(held.setMs, given.setMs) }
}

/** Whether a human who had not heard of the newest refusals has answered after all of them: that ends those too. */
function isLateAnswer(answer: Share, other: Share): boolean {
  const refusals = Object.values(other.marks)
  return (
    answer.generation > 0 &&
    answer.generation <= other.generation &&
    answer.sinceMs > other.sinceMs &&
    refusals.length > 0 &&
    refusals.every(({ setMs }) => setMs <= answer.sinceMs)
  )
}

/** Whether joining put the first mark there that has not passed: of all who try, exactly one is told so. */
export function isFirst(before: Share, after: Share, nowMs: number): boolean {
  const isLive = ({ untilMs }: SharedMark): boolean => untilMs > nowMs
  if (!Object.values(after.marks).some(isLive)) return false
  if (before.generation !== after.generation) return true
  return !Object.values(before.marks).some((mark) => isLive(mark) && mark.setMs > after.sinceMs)
}
