import type { Phase } from './server-script.ts'

/** What a server has taken in the current window of one `rate_window` phase. */
export class RateWindow {
  readonly #phase: Extract<Phase, { readonly kind: 'rate_window' }>
  #number = -1
  #taken = 0

  constructor(phase: Extract<Phase, { readonly kind: 'rate_window' }>) {
    this.#phase = phase
  }

  /** Milliseconds until the window of a time ends, where it is full; nothing where there is room. */
  fullForMs(nowMs: number): number | undefined {
    const { fromMs, windowMs, requests } = this.#phase
    const number = Math.floor((nowMs - fromMs) / windowMs)
    if (number !== this.#number) {
      this.#number = number
      this.#taken = 0
    }
    // Rounding may put the end a hair before now; a full window is full all the same.
    return this.#taken < requests ? undefined : Math.max(0, fromMs + (number + 1) * windowMs - nowMs)
  }

  /** Counts a request into the window last asked about. */
  take(): void {
    this.#taken += 1
  }

  /** Takes back what was counted last: another window has refused the request. */
  giveBack(): void {
    this.#taken -= 1
  }
}
