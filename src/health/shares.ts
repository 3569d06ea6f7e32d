import { isOver, joined, NO_SHARE, type Share } from '../core/share.ts'
import { HINTS, OWN_EPOCH_MS } from './group-marks.ts'
import { StoreClock } from './store-clock.ts'

/** What all processes know, group by group, by the store's clock, as far as it has come here. */
export class Shares {
  readonly #shares = new Map<string, Share>()
  /** Own changes by the own clock, until the store's is known. */
  readonly #untimed = new Map<string, Share>()
  readonly #clock: StoreClock = new StoreClock()
  /** Groups that were changed here before it was known what the store holds of them. */
  #early: Set<string> | undefined = new Set()

  /** Whether the store's clock is known. */
  get isTimed(): boolean {
    return this.#clock.isKnown
  }

  get(group: string): Share {
    return this.#shares.get(group) ?? NO_SHARE
  }

  entries(): IterableIterator<[group: string, share: Share]> {
    return this.#shares.entries()
  }

  /** Joins what is told of a group. Answers what was known before, where it says something new. */
  join(group: string, told: Share): Share | undefined {
    const before = this.get(group)
    const isEarly = this.#early?.delete(group) === true
    const after = joined(isEarly ? withGeneration(before, told) : before, told)
    if (after === before) return undefined
    this.#shares.set(group, after)
    // What was here by then was of the own making: of the others nothing was known.
    return isEarly ? NO_SHARE : before
  }

  /** All that the store holds has been joined: changes from now on are made by one who knows it. */
  haveJoinedAll(): void {
    this.#early = undefined
  }

  /** Joins a change, by the own clock from its epoch on. It is made by one who knows what was ended before: nothing of that ends it. */
  change(group: string, share: Share): void {
    this.#early?.add(group)
    const shares = this.isTimed ? this.#shares : this.#untimed
    const held = shares.get(group) ?? NO_SHARE
    const { marks, ...told } = this.isTimed ? this.#byStore(group, share) : share
    const since = Object.entries(marks).map(([name, { untilMs, setMs }]) => [
      name,
      { untilMs, setMs: Math.max(setMs, held.sinceMs + 1) },
    ])
    const sinceMs = Math.max(told.sinceMs, held.sinceMs)
    shares.set(group, joined(held, { ...told, sinceMs, marks: Object.fromEntries(since) }))
  }

  /** Adds a mark that ends with the others of its group. Answers whether there are any. */
  addMark(group: string, name: string): boolean {
    const shares = this.isTimed ? this.#shares : this.#untimed
    const held = shares.get(group) ?? NO_SHARE
    const others = Object.values(held.marks)
    if (others.length === 0) return false
    const setMs = Math.max(...others.map((mark) => mark.setMs))
    const untilMs = Math.max(...others.map((mark) => mark.untilMs))
    shares.set(group, joined(held, { ...held, marks: { [name]: { setMs, untilMs } } }))
    return true
  }

  #byStore(group: string, share: Share): Share {
    const told = withTimes(share, (ms) => this.#clock.toStore(ms - OWN_EPOCH_MS))
    // Of a hint and a revival whose order the clocks do not tell, the hint holds.
    const isRevival = group.startsWith(HINTS) && share.sinceMs > 0
    return isRevival ? { ...told, sinceMs: this.#clock.toStoreEarly(share.sinceMs - OWN_EPOCH_MS) } : told
  }

  /** Forgets what is over. Answers the groups. */
  forget(nowMs: number): readonly string[] {
    const over = [...this.#shares].filter(([, share]) => this.isOver(share, nowMs)).map(([group]) => group)
    for (const group of over) this.#shares.delete(group)
    return over
  }

  /** Whether a share has nothing more to say. */
  isOver(share: Share, nowMs: number): boolean {
    return isOver(share, this.#clock.now(nowMs))
  }

  /** Learns what the store's clock showed, and when it was asked. */
  shown(atMs: number, nowMs: number, askedMs: number | undefined): void {
    this.#clock.shown(atMs, nowMs, askedMs)
    for (const [group, share] of this.#untimed) this.change(group, share)
    this.#untimed.clear()
  }

  /** A time of the store's by the own clock. */
  toOwn(ms: number): number {
    return this.#clock.toOwn(ms)
  }
}

/** Refusals that came after the last answer, of one who had not heard of it, are of its generation. */
function withGeneration(held: Share, { generation, sinceMs }: Share): Share {
  const isBehind = generation > held.generation && Object.values(held.marks).every(({ setMs }) => setMs > sinceMs)
  return isBehind ? { ...held, generation } : held
}

/** The same share with other times; 0 stands for none. */
function withTimes({ generation, sinceMs, lastMs, marks }: Share, timeOf: (ms: number) => number): Share {
  return {
    generation,
    sinceMs: sinceMs === 0 ? 0 : timeOf(sinceMs),
    lastMs: lastMs === 0 ? 0 : timeOf(lastMs),
    marks: Object.fromEntries(
      Object.entries(marks).map(([name, { untilMs, setMs }]) => [
        name,
        { untilMs: timeOf(untilMs), setMs: timeOf(setMs) },
      ]),
    ),
  }
}
