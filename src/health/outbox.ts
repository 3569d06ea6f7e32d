import type { Clock } from '../core/clock.ts'
import { Alarms } from './alarms.ts'
import type { StoreAnswer } from './store.ts'

/** A store that has not answered by then is at fault, whatever it does later. */
const ANSWER_MS = 2_000
/** Failed changes are published again after so long, and twice as long each time up to the most. */
const RETRY_MS = 500
const RETRY_MOST_MS = 30_000

/** What may go wrong with a publication. */
type Fault = 'rejected' | 'timed_out'

/** Told whether a change was the first of its group; nothing where the store does not say: then each is on its own. */
type Told = (first: boolean | undefined) => void

/** Changed groups, with who asks about each. */
type Waiting = Map<string, Told[]>

/**
 * Publishes.
 *
 * @param take - Answers the groups, to be published as they are by then: what changes later is asked about again.
 */
export type Publish = (take: () => readonly string[]) => PromiseLike<StoreAnswer>

/**
 * Groups that the store has not heard of as they are: one publication at a time. What waits is bounded by the groups
 * that there are, and survives any failure of the store; publishing twice does no harm.
 */
export class Outbox {
  readonly #publish: Publish
  readonly #alarms: Alarms
  readonly #delivered: (fault: Fault | undefined) => void
  #waiting: Waiting = new Map()
  /** What has been taken for the publication that is under way. */
  #going: Waiting = new Map()
  #busy = false
  /** Counts publications; the answer to one that is settled says nothing. */
  #publication = 0
  #closed = false
  #retryMs = RETRY_MS
  #retry: unknown
  #idle: () => void = () => undefined

  /** @param delivered - Told how each publication went. */
  constructor(publish: Publish, clock: () => Clock, delivered: (fault: Fault | undefined) => void) {
    this.#publish = publish
    this.#alarms = new Alarms(clock)
    this.#delivered = delivered
  }

  /** Takes a group that has changed, to be published at the next flush. Answers whether the change was its first, if the store says so. */
  send(group: string): Promise<boolean | undefined> {
    return new Promise((told) => {
      if (this.#closed || !isWhole(group)) return told(undefined)
      const asking = this.#waiting.get(group)
      if (asking === undefined) this.#waiting.set(group, [told])
      else asking.push(told)
    })
  }

  /** Publishes what failed before without waiting any longer. */
  hurry(): void {
    this.#retryMs = RETRY_MS
    this.flush()
  }

  flush(): void {
    if (this.#busy || this.#closed || this.#waiting.size === 0) return
    this.#busy = true
    this.#publication += 1
    const publication = this.#publication
    const alarm = this.#alarms.after(ANSWER_MS, () => this.#settle(publication, 'timed_out'))
    const answered = (firsts: unknown): void => {
      this.#alarms.cancel(alarm)
      this.#settle(publication, firsts)
    }
    try {
      this.#publish(() => this.#take(publication)).then(
        (answer) => answered(answer.firsts),
        () => answered(undefined),
      )
    } catch {
      answered(undefined)
    }
  }

  /** Publishes what waits, where the store took the last publication, and ends. */
  async close(): Promise<void> {
    while (!this.#closed && (this.#busy || (this.#waiting.size > 0 && this.#retry === undefined))) {
      const settled = new Promise<void>((idle) => {
        this.#idle = idle
      })
      this.flush()
      await settled
    }
    this.#closed = true
    this.#alarms.close()
    tell(this.#waiting, () => undefined)
    this.#waiting.clear()
  }

  #take(publication: number): readonly string[] {
    if (!this.#busy || publication !== this.#publication) return []
    this.#going = this.#waiting
    this.#waiting = new Map()
    return [...this.#going.keys()]
  }

  /** @param firsts - What the store said of each change: that, or something else where it went wrong. */
  #settle(publication: number, firsts: unknown): void {
    if (!this.#busy || publication !== this.#publication) return
    this.#busy = false
    const going = this.#going
    this.#going = new Map()
    const isTaken = Array.isArray(firsts) && firsts.length === going.size
    if (isTaken) {
      tell(going, (place) => firsts[place] === true)
      this.#retryMs = RETRY_MS
      this.flush()
    } else this.#again(going)
    this.#delivered(isTaken ? undefined : firsts === 'timed_out' ? firsts : 'rejected')
    this.#idle()
  }

  #again(going: Waiting): void {
    for (const asking of [going, this.#waiting]) tell(asking, () => undefined)
    this.#waiting = new Map([...going.keys(), ...this.#waiting.keys()].map((group) => [group, []]))
    this.#retry ??= this.#alarms.after(this.#retryMs, () => {
      this.#retry = undefined
      this.flush()
    })
    this.#retryMs = Math.min(2 * this.#retryMs, RETRY_MOST_MS)
  }
}

/** Half a character takes all that is published with it along: a name that no guard may have is nobody's. */
const isWhole = (group: string): boolean => !/\p{Cs}/u.test(group)

function tell(asking: Waiting, isFirst: (place: number) => boolean | undefined): void {
  ;[...asking.values()].forEach((told, place) => {
    for (const each of told) each(isFirst(place))
  })
}
