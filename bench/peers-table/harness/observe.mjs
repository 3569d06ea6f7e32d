import { setTimeout as pause } from 'node:timers/promises'
import { TEXT } from './stage.mjs'

/** What became of a call: `served`, `answered` with another text, `failed`, or `pending` after so many milliseconds. */
export const outcomeOf = async (answer, withinMs) => {
  const fromMs = performance.now()
  const over = new AbortController()
  const outcome = await Promise.race([
    answer.then(
      (text) => ({ how: text === TEXT ? 'served' : 'answered', text }),
      (error) => ({ how: 'failed', error: error?.name ?? typeof error }),
    ),
    pause(withinMs, { how: 'pending' }, { signal: over.signal }),
  ])
  over.abort()
  return { ...outcome, afterMs: Math.round(performance.now() - fromMs) }
}

/** Reads a stream as a consumer does: what it was shown, and whether it ended or failed. */
export const shownOf = async (stream, onText = () => {}) => {
  let text = ''
  try {
    for await (const piece of stream) {
      if (!piece) continue
      text += piece
      onText()
    }
    return { text, end: 'ended' }
  } catch (error) {
    return { text, end: 'failed', error: error?.name ?? typeof error }
  }
}

/** The same within so many milliseconds, for streams that may never end. */
export const shownWithin = async (stream, withinMs) => {
  const over = new AbortController()
  const shown = await Promise.race([
    shownOf(stream),
    pause(withinMs, { text: '', end: 'pending' }, { signal: over.signal }),
  ])
  over.abort()
  return shown
}

/** Waits until something is so, looking every few milliseconds. */
export const until = async (isSo, withinMs) => {
  const lastMs = performance.now() + withinMs
  while (!isSo() && performance.now() < lastMs) await pause(5)
  return isSo()
}
