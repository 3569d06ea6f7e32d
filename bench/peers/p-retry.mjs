import pRetry from 'p-retry'

const options = { retries: 2, minTimeout: 0, maxTimeout: 0 }

export const success = (fn) => () => pRetry(fn, options)

export const successWithSignal = (fn, signal) => {
  const withSignal = { ...options, signal }
  return () => pRetry(fn, withSignal)
}

export const failOnce = success

export const waiting = (fn, delayMs, signal) => {
  const waits = { retries: 2, minTimeout: delayMs, maxTimeout: delayMs, ...(signal && { signal }) }
  return () => pRetry(fn, waits)
}
