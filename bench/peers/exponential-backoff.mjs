import { backOff } from 'exponential-backoff'

const options = { numOfAttempts: 3, startingDelay: 0 }

export const success = (fn) => () => backOff(fn, options)

export const failOnce = success

/** A backoff of 0 ms is still a timer. */
export const needsTimer = true

export const waiting = (fn, delayMs) => {
  const waits = { numOfAttempts: 3, startingDelay: delayMs, timeMultiple: 1 }
  return () => backOff(fn, waits)
}
