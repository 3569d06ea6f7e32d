/** One turn of the event loop. */
export const sleepingTick = () => new Promise((resolve) => setImmediate(resolve))

/** The longest time that the loop did not turn until `settled`, and the whole time that took. @param {Promise<unknown>} settled */
export const longestStall = async (settled) => {
  let stallMs = 0
  let over = false
  const from = performance.now()
  let last = from
  const turn = () => {
    const now = performance.now()
    stallMs = Math.max(stallMs, now - last)
    last = now
    if (!over) setImmediate(turn)
  }
  setImmediate(turn)
  await settled
  const tookMs = performance.now() - from
  over = true
  await sleepingTick()
  return { stallMs, tookMs }
}
