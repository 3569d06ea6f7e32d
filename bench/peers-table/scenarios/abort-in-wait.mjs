import { setTimeout as pause } from 'node:timers/promises'
import { refuse } from '../../../demo/fleet/steps.mjs'
import { outcomeOf, until } from '../harness/observe.mjs'
import { refusalOf } from '../harness/refusals.mjs'
import { onStage } from '../harness/stage.mjs'

export const title = 'Both providers answer 503 with `Retry-After: 1`; the caller aborts 0.3 s later'

const WATCHED_MS = 3_000

export const run = (subject) => {
  const down = refuse(refusalOf(subject.host.dialect, 'unavailable', { 'retry-after': '1' }))
  return onStage(subject, { primary: down, fallback: down }, async ({ caller, seen }) => {
    const requests = () => [...seen('primary'), ...seen('fallback')]
    const controller = new AbortController()
    let settledAtMs
    const outcome = outcomeOf(caller.ask(controller.signal), 30_000)
    outcome.then(() => (settledAtMs = performance.now()))
    await until(() => requests().length > 0, 10_000)
    await pause(300)
    const abortedAtMs = performance.now()
    controller.abort()
    await pause(WATCHED_MS)
    const after = requests().filter(({ atMs }) => atMs > abortedAtMs).length
    return { after, settledAfterMs: settledAtMs && Math.max(0, Math.round(settledAtMs - abortedAtMs)) }
  })
}

/** What comes at the end of a wait of a second comes 0.7 s after the abort. */
const LATE_MS = 500

const cell = ({ after, settledAfterMs }) => {
  const requests = after === 0 ? '0' : `**${after}**`
  if (settledAfterMs === undefined) return `${requests}, **still held after 3 s**`
  return settledAfterMs > LATE_MS ? `${requests}, **returns after ${(settledAfterMs / 1_000).toFixed(1)} s**` : requests
}

export const columns = [{ title: 'requests after an abort in the wait', cell }]
