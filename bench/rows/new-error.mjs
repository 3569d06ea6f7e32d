/** One `new Error`, eight frames deep: the depth at which a client library usually makes one. */
export const newError = (input) => deeper(8, input)

const deeper = (frames, input) => (frames === 0 ? new Error('overloaded') : identity(deeper(frames - 1, input)))

const identity = (value) => value
