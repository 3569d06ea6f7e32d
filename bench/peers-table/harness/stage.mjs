import { startFleet } from '../../../demo/fleet/fleet.mjs'
import { always } from '../../../demo/fleet/scripts.mjs'

/** What both providers answer, so that an answer which is begun again shows. */
export const TEXT = 'One two three four five six.'

/** @typedef {{ atMs: number }} Seen */
/** @typedef {{ caller: any, seen: (which: 'primary' | 'fallback') => readonly Seen[] }} Scene */

/**
 * Plays with one object of a subject's over two providers of its own, each of which always takes the same step.
 * @param {any} subject @param {{ primary: Function, fallback: Function }} steps @param {(scene: Scene) => Promise<any>} play
 */
export const onStage = async (subject, steps, play) => {
  const { dialect } = subject.host
  const fleet = await startFleet([
    { provider: 'primary', model: 'model-a', dialect, script: always(steps.primary) },
    { provider: 'fallback', model: 'model-b', dialect, script: always(steps.fallback) },
  ])
  const candidates = fleet.candidates.map(({ id, provider, model, baseUrl }) => ({ id, provider, model, baseUrl }))
  const seen = (which) => fleet.requests().filter(({ candidate }) => candidate.startsWith(`${which}/`))
  try {
    return await play({ caller: subject.attach(candidates), seen })
  } finally {
    await fleet.close()
  }
}
