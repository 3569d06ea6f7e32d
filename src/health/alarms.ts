import type { Clock } from '../core/clock.ts'

/** Timers that keep no process alive, where the clock's timers can be told so, and that all end together. */
export class Alarms {
  readonly #clock: () => Clock
  readonly #timers = new Set<unknown>()
  #closed = false

  constructor(clock: () => Clock) {
    this.#clock = clock
  }

  after(ms: number, ring: () => void): unknown {
    if (this.#closed) return undefined
    const timer = this.#clock().setTimeout(() => {
      this.#timers.delete(timer)
      ring()
    }, ms)
    ;(timer as { unref?: () => void } | null)?.unref?.()
    this.#timers.add(timer)
    return timer
  }

  cancel(timer: unknown): void {
    if (this.#timers.delete(timer)) this.#clock().clearTimeout(timer)
  }

  close(): void {
    this.#closed = true
    for (const timer of [...this.#timers]) this.cancel(timer)
  }
}
