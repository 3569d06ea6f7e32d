/**
 * Loops that time one case each.
 *
 * A loop is compiled anew for every case: a loop that several cases share goes megamorphic at its one call site, and
 * then measures itself. It runs in blocks, each a call of its own, so that it is optimised as any function is and does
 * not hang on being replaced while it runs. What a call answers is kept, so that no case can be optimised away.
 */

/**
 * A batch runs `count` calls and answers nanoseconds of processor time; `least` is the number that its counts are multiples of.
 * @typedef {((count: number) => Promise<number>) & { readonly least: number }} Batch
 */

const BLOCK = 256

/** The nearest count that a batch can run. @param {Batch} of @param {number} count */
export const fittingCount = (of, count) => Math.max(1, Math.round(count / of.least)) * of.least

let made = 0

/** A function from source that shares neither code nor feedback with any other. @param {string} source */
const fresh = (source) => new Function(`// ${++made}\nreturn ${source}`)()

/**
 * Nanoseconds of processor time that this process has used, those of its collector included. Not the time of day: that
 * would also count what other processes do on the same cores, and the waits of a case that cannot do without a timer.
 */
const clock = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) * 1_000
}

let kept
/** The last value that a loop has kept. */
export const lastKept = () => kept

/** @param {() => unknown} block @param {number} least calls in a block @returns {Batch} */
const timed = (block, least) =>
  Object.assign(
    async (count) => {
      const from = clock()
      for (let done = 0; done < count; done += least) kept = await block()
      return clock() - from
    },
    { least },
  )

/** Awaits `call()`, one after the other. @param {() => unknown} call */
export const awaiting = (call) => {
  const block = fresh(`async (call) => {
    let last
    for (let index = 0; index < ${BLOCK}; index++) last = await call()
    return last
  }`)
  return timed(() => block(call), BLOCK)
}

/** Awaits calls that run `atOnce` at a time: for what cannot do without a timer. @param {() => unknown} call @param {number} atOnce */
export const awaitingAtOnce = (call, atOnce) => {
  const start = fresh(`(call, calls) => {
    for (let index = 0; index < calls.length; index++) calls[index] = call()
    return calls
  }`)
  const calls = new Array(atOnce).fill(undefined)
  return timed(() => Promise.all(start(call, calls)), atOnce)
}

/** Calls `step(input)` over inputs that change. @param {(input: any) => unknown} step @param {readonly unknown[]} inputs */
export const stepping = (step, inputs) => {
  if (inputs.length !== 16) throw new Error('a stepping case needs 16 inputs')
  const block = fresh(`(step, inputs) => {
    let truthy = 0
    for (let index = 0; index < ${BLOCK}; index++) if (step(inputs[index & 15])) truthy++
    return truthy
  }`)
  return timed(() => block(step, inputs), BLOCK)
}

/** Iterates whole streams, measured from the first item to the end. @param {() => AsyncIterable<any>} open @param {number} items per stream */
export const iterating = (open, items) => {
  const block = fresh(`async (stream, clock) => {
    let from = 0
    let last
    for await (const item of stream) {
      if (from === 0) from = clock()
      last = item
    }
    globalThis.keptByLoop = last
    return clock() - from
  }`)
  return perItem((at) => block(open(), at), items)
}

/** The same through a web reader. @param {() => ReadableStream | Promise<ReadableStream>} open @param {number} items per stream */
export const reading = (open, items) => {
  const block = fresh(`async (reader, clock) => {
    let last = (await reader.read()).value
    const from = clock()
    for (;;) {
      const result = await reader.read()
      if (result.done) break
      last = result.value
    }
    globalThis.keptByLoop = last
    return clock() - from
  }`)
  return perItem(async (at) => block((await open()).getReader(), at), items)
}

/** @param {(at: () => number) => Promise<number>} block answers nanoseconds for all items but the first */
const perItem = (block, items) =>
  Object.assign(
    async (count) => {
      let took = 0
      for (let read = 0; read < count; read += items) took += await block(clock)
      return (took * items) / (items - 1)
    },
    { least: items },
  )
