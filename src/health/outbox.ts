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

/** Told whether a change was the first of its group; `true` where the store does not say: then each is on its own. */
type Told = (first: boolean) => void

/** Publishes groups as they are by then. */
export type Publish = (groups: readonly string[]) => PromiseLike<StoreAnswer>

/**
 * Groups that the store has not heard of as they are: one publication at a time. What waits is bounded by the groups
 * that there are, and survives any failure of the store; publishing twice does no harm.
 */
export class Outbox {
  readonly #publish: Publish
  readonly #alarms: Alarms
  readonly #delivered: (fault: Fault | undefined) => void
  #waiting = new Map<string, Told[]>()
  /** What is being published, until it is settled. */
  #going: Map<string, Told[]> | undefined
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

  /** Takes a group that has changed, to be published at the next flush. Answers whether the change was its first. */
  send(group: string): Promise<boolean> {
    return new Promise((told) => {
      if (this.#closed) return told(true)
      this.#waiting.set(group, [...(this.#waiting.get(group) ?? []), told])
    })
  }

  /** Publishes what failed before without waiting any longer. */
  hurry(): void {
    this.#retryMs = RETRY_MS
    this.flush()
  }

  flush(): void {
    if (this.#going !== undefined || this.#closed || this.#waiting.size === 0) return
    const going = this.#waiting
    this.#waiting = new Map()
    this.#going = going
    const alarm = this.#alarms.after(ANSWER_MS, () => this.#settle(going, 'timed_out'))
    const answered = (answer: StoreAnswer | undefined): void => {
      this.#alarms.cancel(alarm)
      const firsts: unknown = answer?.firsts
      if (!Array.isArray(firsts) || firsts.length !== going.size) this.#settle(going, 'rejected')
      else this.#settle(going, undefined, firsts)
    }
    try {
      this.#publish([...going.keys()]).then(answered, () => answered(undefined))
    } catch {
      answered(undefined)
    }
  }

  /** Publishes what waits, where the store took the last publication, and ends. */
  async close(): Promise<void> {
    while (!this.#closed && (this.#going !== undefined || (this.#waiting.size > 0 && this.#retry === undefined))) {
      const settled = new Promise<void>((idle) => {
        this.#idle = idle
      })
      this.flush()
      await settled
    }
    this.#closed = true
    this.#alarms.close()
    tell(this.#waiting, () => true)
    this.#waiting.clear()
  }

  #settle(
    going: ReadonlyMap<string, readonly Told[]>,
    fault: Fault | undefined,
    firsts: readonly unknown[] = [],
  ): void {
    if (this.#going !== going) return
    this.#going = undefined
    tell(going, (place) => fault !== undefined || firsts[place] === true)
    if (fault !== undefined) this.#again(going)
    else {
      this.#retryMs = RETRY_MS
      this.flush()
    }
    this.#delivered(fault)
    this.#idle()
  }

  #again(going: ReadonlyMap<string, readonly Told[]>): void {
    const since = this.#waiting
    this.#waiting = new Map([...going.keys()].map((group) => [group, []]))
    for (const [group, told] of since) this.#waiting.set(group, told)
    this.#retry ??= this.#alarms.after(this.#retryMs, () => {
      this.#retry = undefined
      this.flush()
    })
    this.#retryMs = Math.min(2 * this.#retryMs, RETRY_MOST_MS)
  }
}

function tell(all: ReadonlyMap<string, readonly Told[]>, isFirst: (place: number) => boolean): void {
  ;[...all.values()].forEach((told, place) => {
    for (const each of told) each(isFirst(place))
  })
}
