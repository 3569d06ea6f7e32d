import { awaiting, awaitingAtOnce } from '../harness/fresh-loop.mjs'

export const answer = Object.freeze({ ok: true })

/** A producer that answers at once. A new function per case, so that no case meets the feedback of another. */
export const succeeding = () => async () => answer

/** Throws the same error at once, every time: nothing but the middleware may differ between the cases. */
export const refusing = (error) => async () => {
  throw error
}

/** Refuses the first attempts of calls that start together (by default of one call) and answers their second ones. */
export const failingOnce = (error, atOnce = 1) => {
  let attempts = 0
  return async () => {
    if (attempts++ % (2 * atOnce) < atOnce) throw error
    return answer
  }
}

/** An error made beforehand, so that no row measures the making of errors. */
export const failure = (errorClass, statusCode) =>
  Object.assign(new Error('overloaded'), { class: errorClass, statusCode, status: statusCode })

/** The peer's own error where it recognises only that. */
export const failureFor = (peer, errorClass, statusCode) => (peer.failure ?? failure)(errorClass, statusCode)

export const peerNamed = (name) => import(`../peers/${name}.mjs`)

/** The loop of a call that has been seen to answer. @param {() => Promise<unknown>} call */
export const answering = async (call) => {
  for (let turn = 0; turn < 2; turn++) mustAnswer(await call())
  return awaiting(call)
}

/** How many calls of one batch run at once where each needs a timer. */
export const AT_ONCE = 2_000

/** The same for calls that run at once. @param {() => Promise<unknown>} call */
export const answeringAtOnce = async (call) => {
  for (const value of await Promise.all(Array.from({ length: AT_ONCE }, call))) mustAnswer(value)
  return awaitingAtOnce(call, AT_ONCE)
}

const mustAnswer = (value) => {
  if (value !== answer) throw new Error('the case does not answer what its producer answers')
}

/** A producer that a herd of calls shares: it refuses their first attempts and answers their second ones. */
export const failingFirst = (calls) => failingOnce(overloaded, calls)

const overloaded = failure('transient', 503)
