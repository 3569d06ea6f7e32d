import CircuitBreaker from 'opossum'

const options = { timeout: false, errorThresholdPercentage: 100, volumeThreshold: Number.POSITIVE_INFINITY }

export const success = (fn) => {
  const breaker = new CircuitBreaker(fn, options)
  return () => breaker.fire()
}

export const successWithListener = (fn, listener) => {
  const breaker = new CircuitBreaker(fn, options)
  breaker.on('success', listener)
  return () => breaker.fire()
}

export const fallback = (bad, good) => {
  const breaker = new CircuitBreaker(bad, options)
  breaker.fallback(good)
  return () => breaker.fire()
}
