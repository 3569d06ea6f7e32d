import { ConstantBackoff, fallback as fallbackPolicy, handleAll, retry } from 'cockatiel'

export const success = (fn) => {
  const policy = retry(handleAll, { maxAttempts: 2 })
  return () => policy.execute(fn)
}

export const successWithSignal = (fn, abortSignal) => {
  const policy = retry(handleAll, { maxAttempts: 2 })
  return () => policy.execute(fn, abortSignal)
}

export const successWithListener = (fn, listener) => {
  const policy = retry(handleAll, { maxAttempts: 2 })
  policy.onSuccess(listener)
  return () => policy.execute(fn)
}

export const failOnce = success

/** A backoff of 0 ms is still a timer. */
export const needsTimer = true

export const fallback = (bad, good) => {
  const policy = fallbackPolicy(handleAll, good)
  return () => policy.execute(bad)
}

export const waiting = (fn, delayMs, abortSignal) => {
  const policy = retry(handleAll, { maxAttempts: 2, backoff: new ConstantBackoff(delayMs) })
  return () => policy.execute(fn, abortSignal)
}
