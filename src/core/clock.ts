/** Time, as heed uses it. Give one of your own to test without waiting (`heed/testing` has a fake one). */
export interface Clock {
  /** Monotonic milliseconds: for waits and marks. */
  now(): number
  /** Milliseconds since the epoch: for producer adapters only, which read dates. */
  wallNow(): number
  /** Calls back once after a delay of at most 2^31-1 ms. Early is harmless; late is late. */
  setTimeout(callback: () => void, delayMs: number): unknown
  /** Takes a timer back. */
  clearTimeout(timer: unknown): void
}
