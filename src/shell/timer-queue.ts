import type { Clock } from '../core/clock.ts'

/** Places of an alarm that is in no queue: it has rung or was never set, or it was taken back. */
const OUT = -1
const CANCELLED = -2

/** Something to be called at a time. */
export interface Alarm {
  readonly atMs: number
  ring(): void
  /** Place in the queue; negative while it is in none. */
  place: number
}

/** The longest delay that timers take; longer ones are waited for in parts. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Alarms rung in one turn of the event loop: a hundred thousand calls that wake together must not stall it. */
const RINGS_PER_TURN = 500

const queues = new WeakMap<Clock, TimerQueue>()

/** The queue of a clock. */
export function timerQueueOf(clock: Clock): TimerQueue {
  let queue = queues.get(clock)
  if (queue === undefined) {
    queue = new TimerQueue(clock)
    queues.set(clock, queue)
  }
  return queue
}

/**
 * One timer for all waits of a clock, over a binary heap. It never rings early, whatever the timer does, and holds
 * no timer while nothing waits.
 */
export class TimerQueue {
  readonly #clock: Clock
  readonly #heap: Alarm[] = []
  #timer: unknown
  #timerAtMs = Number.POSITIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Calls `ring` once the clock has reached `atMs`: as the reaction of a promise, because many share the timer and each
   * is to go on in the async context in which it asked, not in that of whoever set the timer.
   */
  add(atMs: number, ring: () => void): Alarm {
    const alarm: Alarm = { atMs, ring: () => undefined, place: OUT }
    const rung = new Promise<void>((resolve) => {
      alarm.ring = resolve
    })
    rung.then(() => {
      if (alarm.place !== CANCELLED) ring()
    })
    this.set(alarm)
    return alarm
  }

  /** Rings an alarm that somebody keeps, from the timer itself. */
  set(alarm: Alarm): void {
    alarm.place = this.#heap.length
    this.#heap.push(alarm)
    this.#rise(alarm)
    try {
      this.#arm()
    } catch (error) {
      this.#remove(alarm)
      throw error
    }
  }

  /** Takes an alarm back. Nothing happens where it rang already. */
  cancel(alarm: Alarm): void {
    if (alarm.place >= 0) {
      this.#remove(alarm)
      this.#arm()
    }
    alarm.place = CANCELLED
  }

  /** The clock, or where it throws another time: whoever waits goes on, and ends by what the clock throws there. */
  now(otherwiseMs: number): number {
    try {
      return this.#clock.now()
    } catch {
      return otherwiseMs
    }
  }

  #arm(knownMs?: number): void {
    const atMs = this.#heap[0]?.atMs ?? Number.POSITIVE_INFINITY
    // A timer that is due before the first alarm finds nothing to ring and is set again: cheaper than moving it.
    if (this.#timerAtMs <= atMs && atMs !== Number.POSITIVE_INFINITY) return
    if (this.#timerAtMs !== Number.POSITIVE_INFINITY) this.#disarm()
    if (atMs === Number.POSITIVE_INFINITY) return
    const nowMs = knownMs ?? this.now(atMs)
    const delayMs = Math.min(MAX_TIMER_MS, Math.max(0, Math.ceil(atMs - nowMs)))
    this.#timerAtMs = Math.min(atMs, nowMs + MAX_TIMER_MS)
    try {
      this.#timer = this.#clock.setTimeout(() => this.#ringDue(), delayMs)
    } catch (error) {
      this.#timerAtMs = Number.POSITIVE_INFINITY
      throw error
    }
  }

  #disarm(): void {
    const timer = this.#timer
    this.#timerAtMs = Number.POSITIVE_INFINITY
    this.#timer = undefined
    try {
      this.#clock.clearTimeout(timer)
    } catch {
      // It finds nothing to ring.
    }
  }

  #ringDue(): void {
    const nowMs = this.now(this.#timerAtMs)
    this.#timerAtMs = Number.POSITIVE_INFINITY
    this.#timer = undefined
    try {
      for (let rung = 0; rung < RINGS_PER_TURN; rung += 1) {
        const first = this.#heap[0]
        if (first === undefined || first.atMs > nowMs) break
        this.#remove(first)
        first.ring()
      }
    } finally {
      // Whatever one waiter does, the others are still waited for.
      this.#arm(nowMs)
    }
  }

  #remove(alarm: Alarm): void {
    const last = this.#heap.pop()
    if (last !== undefined && last !== alarm) {
      last.place = alarm.place
      this.#heap[last.place] = last
      this.#rise(last)
      this.#sink(last)
    }
    alarm.place = OUT
  }

  #rise(alarm: Alarm): void {
    while (alarm.place > 0) {
      const above = this.#heap[(alarm.place - 1) >> 1]
      if (above === undefined || above.atMs <= alarm.atMs) return
      this.#swap(above, alarm)
    }
  }

  #sink(alarm: Alarm): void {
    for (;;) {
      const left = this.#heap[2 * alarm.place + 1]
      const right = this.#heap[2 * alarm.place + 2]
      const below = right !== undefined && left !== undefined && right.atMs < left.atMs ? right : left
      if (below === undefined || below.atMs >= alarm.atMs) return
      this.#swap(alarm, below)
    }
  }

  #swap(upper: Alarm, lower: Alarm): void {
    const place = upper.place
    upper.place = lower.place
    lower.place = place
    this.#heap[upper.place] = upper
    this.#heap[lower.place] = lower
  }
}
