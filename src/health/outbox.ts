import type { Clock } from '../core/clock.ts'
import { Alarms } from './alarms.ts'
import type { StoreTransport, StoreWrite } from './store.ts'

/** A change that waits to be published: its times are of the own clock, durations are made when it goes. */
export interface Pending {
  readonly group: string
  readonly generation: number | null
  readonly renew?: true | undefined
  readonly untilMs: Readonly<Record<string, number>>
  readonly keepMs: number
}

/** A store that has not answered by then is at fault, whatever it does later. */
const ANSWER_MS = 2_000
/** Failed changes are published again after so long, and twice as long each time up to the most. */
const RETRY_MS = 500
const RETRY_MOST_MS = 30_000

/** What may go wrong with a publication. */
type Fault = 'rejected' | 'timed_out'

/** Told how publishing went. */
export type Delivered = (fault: Fault | undefined) => void

interface Queued {
  readonly pending: Pending
  /** Stays the same however often it is published. */
  readonly name: string
  readonly told: readonly ((first: boolean) => void)[]
}

/**
 * Changes on their way to the store: one publication at a time, everything else is joined into what waits. What waits
 * is bounded by the groups there are, and survives any failure of the store.
 */
export class Outbox {
  readonly #store: StoreTransport
  readonly #clock: () => Clock
  readonly #alarms: Alarms
  readonly #by: string
  readonly #delivered: Delivered
  #queue: Queued[] = []
  #sent = 0
  #busy = false
  #closed = false
  #retryMs = RETRY_MS
  #retry: unknown

  constructor(store: StoreTransport, clock: () => Clock, by: string, delivered: Delivered) {
    this.#store = store
    this.#clock = clock
    this.#alarms = new Alarms(clock)
    this.#by = by
    this.#delivered = delivered
  }

  /**
   * Takes a change, to be published with all others at the next {@link flush}. Answers whether it was the first of its
   * group; `true` where the store cannot say: then each is on its own.
   */
  send(pending: Pending): Promise<boolean> {
    return new Promise((told) => {
      if (this.#closed) return told(true)
      this.#sent += 1
      this.#queue = withQueued(this.#queue, { pending, name: `${this.#by}/${this.#sent}`, told: [told] })
    })
  }

  /** Publishes what failed before without waiting any longer. */
  hurry(): void {
    this.#retryMs = RETRY_MS
    this.flush()
  }

  flush(): void {
    if (this.#busy || this.#closed || this.#queue.length === 0) return
    const nowMs = this.#clock().now()
    const going = this.#queue
    this.#queue = []
    this.#busy = true
    const answered = (firsts: readonly boolean[]): void => {
      if (!settle(undefined)) return
      going.forEach((queued, place) => {
        tell(queued, firsts[place] === true)
      })
    }
    const settle = (fault: Fault | undefined): boolean => {
      if (!this.#busy || alarm === undefined || this.#closed) return false
      this.#alarms.cancel(alarm)
      alarm = undefined
      this.#busy = false
      this.#settled(going, fault)
      return true
    }
    let alarm: unknown = this.#alarms.after(ANSWER_MS, () => settle('timed_out'))
    const failed = (): void => {
      settle('rejected')
    }
    try {
      this.#store.publish(going.map((queued) => this.#write(queued, nowMs))).then(answered, failed)
    } catch {
      failed()
    }
  }

  close(): void {
    this.#closed = true
    this.#alarms.close()
    for (const queued of this.#queue) tell(queued, true)
    this.#queue = []
  }

  #settled(going: readonly Queued[], fault: Fault | undefined): void {
    if (fault === undefined) {
      this.#retryMs = RETRY_MS
      this.flush()
    } else {
      for (const queued of going) tell(queued, true)
      const since = this.#queue
      this.#queue = going.map((queued) => ({ ...queued, told: [] }))
      for (const queued of since) this.#queue = withQueued(this.#queue, queued)
      this.#retryLater()
    }
    this.#delivered(fault)
  }

  #retryLater(): void {
    if (this.#retry !== undefined) return
    this.#retry = this.#alarms.after(this.#retryMs, () => {
      this.#retry = undefined
      this.flush()
    })
    this.#retryMs = Math.min(2 * this.#retryMs, RETRY_MOST_MS)
  }

  #write({ pending, name }: Queued, nowMs: number): StoreWrite {
    const { group, generation, renew, untilMs, keepMs } = pending
    const marks = Object.fromEntries(Object.entries(untilMs).map(([mark, until]) => [mark, Math.ceil(until - nowMs)]))
    return { group, generation, ...(renew === true ? { renew: name } : {}), marks, keepMs, by: this.#by }
  }
}

function tell({ told }: Queued, first: boolean): void {
  for (const each of told) each(first)
}

/** Joins a change into those that wait: a new generation makes what was before it pointless. */
function withQueued(queue: readonly Queued[], added: Queued): Queued[] {
  const { group, generation, renew } = added.pending
  if (renew === true) {
    const over = queue.filter(({ pending }) => pending.group === group)
    for (const queued of over) tell(queued, false)
    return [...queue.filter((queued) => !over.includes(queued)), added]
  }
  const place = queue
    .map(({ pending }) => pending.group === group && pending.generation === generation)
    .lastIndexOf(true)
  const held = queue[place]
  if (held === undefined || held.pending.renew === true) return [...queue, added]
  const untilMs = { ...held.pending.untilMs }
  for (const [name, until] of Object.entries(added.pending.untilMs)) {
    untilMs[name] = Math.max(until, untilMs[name] ?? -Infinity)
  }
  const both: Queued = { ...held, pending: { ...held.pending, untilMs }, told: [...held.told, ...added.told] }
  return queue.map((queued, index) => (index === place ? both : queued))
}
