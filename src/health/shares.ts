import { type Joining, joined, NO_SHARE, type Share } from '../core/share.ts'
import { isOver, PROVIDER, SINCE } from './group-marks.ts'

/** What joining has come to. */
export interface Change {
  /** What held until then; nothing where it was over. */
  readonly before: Share
  readonly after: Share
  /** Marks that the new generation has swept away, although they were learnt since it began. */
  readonly younger: Readonly<Record<string, number>>
}

interface Known {
  readonly share: Share
  /** When the time of each mark was learnt here. */
  readonly learntMs: Readonly<Record<string, number>>
}

/** What all processes know of each group, as far as it has come here. */
export class Shares {
  readonly #known = new Map<string, Known>()

  get(group: string): Share | undefined {
    return this.#known.get(group)?.share
  }

  /** What still says something of a group. The store may have forgotten the generation of what is over. */
  held(group: string, nowMs: number): Share {
    const share = this.get(group)
    return share === undefined || isOver(group, share, nowMs) ? NO_SHARE : share
  }

  /** All that still says something. */
  live(nowMs: number): readonly (readonly [group: string, share: Share])[] {
    return [...this.#known.keys()]
      .map((group) => [group, this.held(group, nowMs)] as const)
      .filter(([, held]) => held !== NO_SHARE)
  }

  /** Joins a change; answers nothing where it says nothing new. */
  join(group: string, joining: Joining, nowMs: number): Change | undefined {
    const before = this.held(group, nowMs)
    const after = joined(before, joining)
    if (after === before) return undefined
    const isNew = after.generation !== before.generation
    const known = this.#known.get(group)?.learntMs ?? {}
    const learntMs = Object.entries(after.untilMs).map(([name, until]) => [
      name,
      !isNew && until === before.untilMs[name] ? (known[name] ?? nowMs) : nowMs,
    ])
    this.#known.set(group, { share: after, learntMs: Object.fromEntries(learntMs) })
    // A refused credential belongs to the generation that it was refused in; a hint holds whatever else has happened.
    const isSwept = isNew && joining.renew !== true && !group.startsWith(PROVIDER)
    const sinceMs = after.untilMs[SINCE] ?? Number.POSITIVE_INFINITY
    const younger = Object.entries(isSwept ? before.untilMs : {}).filter(
      ([name, until]) => until > Math.max(nowMs, after.untilMs[name] ?? 0) && (known[name] ?? 0) > sinceMs,
    )
    return { before, after, younger: Object.fromEntries(younger) }
  }

  /** Forgets what is over and is not kept elsewhere. Answers the groups, with the names of what was known of them. */
  forget(isKept: (group: string) => boolean, nowMs: number): ReadonlyMap<string, ReadonlySet<string>> {
    const forgotten = new Map<string, ReadonlySet<string>>()
    for (const [group, { share }] of this.#known) {
      if (isKept(group) || !isOver(group, share, nowMs)) continue
      this.#known.delete(group)
      forgotten.set(group, new Set(Object.keys(share.untilMs)))
    }
    return forgotten
  }
}
