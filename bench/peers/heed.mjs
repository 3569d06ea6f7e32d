import { importHeed } from '../harness/built-heed.mjs'

const { heed } = await importHeed()
const { constant } = await importHeed('heed/strategies/backoff/constant')

const one = [{ id: 'a/one', provider: 'a' }]
const two = [
  { id: 'a/one', provider: 'a' },
  { id: 'b/two', provider: 'b' },
]

export const success = (fn) => {
  const guard = heed({ candidates: two })
  return () => guard.execute(fn)
}

export const successWithSignal = (fn, abortSignal) => {
  const guard = heed({ candidates: two })
  const call = { abortSignal }
  return () => guard.execute(fn, call)
}

/** The signal of a request: it serves 256 calls and is gone before the collector has moved it. */
export const successWithYoungSignal = (fn) => {
  const guard = heed({ candidates: two })
  let calls = 0
  let call
  return () => {
    if ((calls++ & 255) === 0) call = { abortSignal: new AbortController().signal }
    return guard.execute(fn, call)
  }
}

export const successWithListener = (fn, listener) => {
  const guard = heed({ candidates: two })
  guard.health.on('success', listener)
  return () => guard.execute(fn)
}

/** No wait and no retry budget: every call of the row repeats once, which a budget is there to forbid. */
export const failOnce = (fn) => {
  const guard = heed({ candidates: one, backoff: constant(0), budget: false })
  return () => guard.execute(fn)
}

export const fallback = (bad, good) => {
  const guard = heed({ candidates: two })
  return () => guard.execute((attempt) => (attempt.candidate === two[0] ? bad() : good()))
}

export const stream = (open, call) => {
  const guard = heed({ candidates: two })
  return () => guard.stream(open, call)
}

export const webStream = (open) => {
  const guard = heed({ candidates: two })
  return () => guard.stream(open).toReadableStream()
}

/** Fails once, waits `delayMs`, succeeds. */
export const waiting = (fn, delayMs, abortSignal) => {
  const guard = heed({ candidates: one, backoff: constant(delayMs), budget: false })
  const call = abortSignal && { abortSignal }
  return () => guard.execute(fn, call)
}
