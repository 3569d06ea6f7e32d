/** What the OpenAI SDK itself tries again: for those who write the loop by hand, and carefully. */
export const worthAnotherTry = (error) =>
  error?.status === undefined
    ? error?.constructor?.name === 'APIConnectionError'
    : [408, 409, 429].includes(error.status) || error.status >= 500
