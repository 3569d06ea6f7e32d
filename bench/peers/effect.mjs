import { Effect, Schedule } from 'effect'

const attempt = (fn) => Effect.tryPromise({ try: fn, catch: (error) => error })

export const success = (fn) => {
  const program = Effect.retry(attempt(fn), { times: 2 })
  return () => Effect.runPromise(program)
}

export const successWithSignal = (fn, signal) => {
  const program = Effect.retry(attempt(fn), { times: 2 })
  return () => Effect.runPromise(program, { signal })
}

export const failOnce = success

export const fallback = (bad, good) => {
  const program = Effect.catch(attempt(bad), () => attempt(good))
  return () => Effect.runPromise(program)
}

export const waiting = (fn, delayMs, signal) => {
  const schedule = Schedule.spaced(delayMs)
  return () => Effect.runPromise(Effect.retry(attempt(fn), { times: 2, schedule }), signal && { signal })
}
