import { HttpError } from 'heed/fetch'

/** What a promise rejects with. */
export async function rejection(work: PromiseLike<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('it did not reject')
}

/** The same where it must be an error of ours. */
export async function httpError(work: PromiseLike<unknown>): Promise<HttpError> {
  const error = await rejection(work)
  if (error instanceof HttpError) return error
  throw new Error('it is no HttpError', { cause: error })
}

/** Lets the event loop turn until something holds. Nothing is waited for by time: a test that hangs is cut by the runner. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}
