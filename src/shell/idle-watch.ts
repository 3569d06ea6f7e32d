import type { Engine } from './engine.ts'
import type { Alarm } from './timer-queue.ts'

/**
 * Measures the silence of a source while an item is awaited; a consumer that takes its time is no fault of the
 * source. One alarm is set at most, and moved only when it rings: an item costs a reading of the clock.
 */
export class IdleWatch {
  readonly #engine: Engine
  readonly #idleMs: number
  readonly #awaited: () => boolean
  readonly #silent: () => void
  #sinceMs = 0
  #alarm: Alarm | undefined

  constructor(engine: Engine, awaited: () => boolean, silent: () => void) {
    this.#engine = engine
    this.#idleMs = engine.parts.idleTimeoutMs
    this.#awaited = awaited
    this.#silent = silent
  }

  /** An item is awaited from now on. */
  begin(): void {
    this.heard()
    if (this.#alarm === undefined) this.#set()
  }

  /** The source has said something. */
  heard(): void {
    this.#sinceMs = this.#engine.timers.now(this.#sinceMs)
  }

  stop(): void {
    if (this.#alarm !== undefined) this.#engine.timers.cancel(this.#alarm)
  }

  #set(): void {
    this.#alarm = this.#engine.timers.add(this.#sinceMs + this.#idleMs, () => {
      this.#alarm = undefined
      if (!this.#awaited()) return
      if (this.#engine.timers.now(Number.POSITIVE_INFINITY) < this.#sinceMs + this.#idleMs) this.#set()
      else this.#silent()
    })
  }
}
