/** What a fake model does over its requests: a script gets the exchange and answers the step to take. */

/** One step for each request; the last one serves all that follow. */
export function inOrder(...steps) {
  let taken = 0
  return () => steps[Math.min(taken++, steps.length - 1)]
}

/** The same step for every request. */
export function always(step) {
  return () => step
}

/** One step while the request bears the token that the provider accepts, another for any other token. */
export function forToken(accepted, accept, refuse) {
  return ({ token }) => (token === accepted ? accept : refuse)
}

/** One step while the input fits a window of so many tokens, another where it is longer. */
export function withinWindow(tokens, fits, overflows) {
  return ({ payload }) => (countTokens(payload.messages) <= tokens ? fits : overflows)
}

/** Four characters a token: the usual rule of thumb, on both sides of the wire. */
export function countTokens(messages) {
  return Math.ceil(messages.reduce((sum, message) => sum + message.content.length, 0) / 4)
}
