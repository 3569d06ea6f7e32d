import asyncRetry from 'async-retry'

export const success = (fn) => () => asyncRetry(fn, { retries: 2, minTimeout: 0, maxTimeout: 0, randomize: false })

export const failOnce = success

/** A backoff of 0 ms is still a timer. */
export const needsTimer = true

export const waiting = (fn, delayMs) => () =>
  asyncRetry(fn, { retries: 2, minTimeout: delayMs, maxTimeout: delayMs, randomize: false })
