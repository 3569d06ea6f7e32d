/** Minimal hand-written code: what any middleware must at least cost. */

export const hop = (fn) => async () => await fn()

export const tryCatch = (fn) => async () => {
  try {
    return await fn()
  } catch {
    return await fn()
  }
}

export const tryOther = (bad, good) => async () => {
  try {
    return await bad()
  } catch {
    return await good()
  }
}

export const retryLoop = (fn) => async () => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fn()
    } catch (error) {
      if (attempt === 3) throw error
    }
  }
}

export const passThrough = (open) => () =>
  (async function* through() {
    for await (const item of open()) yield item
  })()

/** One promise on a timer: what a waiting call must at least cost. */
export const timer = (delayMs) => () => new Promise((resolve) => setTimeout(resolve, delayMs))

/** The wait of an abortable retry as it is usually written: a timer and a listener per call. */
export const waiting = (fn, delayMs, abortSignal) => async () => {
  try {
    return await fn()
  } catch {
    await new Promise((resolve, reject) => {
      const abort = () => {
        clearTimeout(timeout)
        reject(abortSignal.reason)
      }
      const timeout = setTimeout(() => {
        abortSignal?.removeEventListener('abort', abort)
        resolve()
      }, delayMs)
      abortSignal?.addEventListener('abort', abort, { once: true })
    })
    return await fn()
  }
}
