import { linkAbort, unlinkAbort } from '../../shell/link-abort.ts'

/**
 * Lends an SDK a signal for one attempt. The SDK never takes its listener off the signal that it is given: on the
 * caller's own, which may live for as long as the process, one would pile up for every request, and an abort would
 * cancel requests that ended long ago.
 */
export async function whileAttempted<T>(
  abortSignal: AbortSignal,
  attempt: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const cut = { abort: () => controller.abort(abortSignal.reason) }
  if (abortSignal.aborted) cut.abort()
  else linkAbort(abortSignal, cut)
  try {
    return await attempt(controller.signal)
  } finally {
    unlinkAbort(abortSignal, cut)
  }
}
