import { answer } from '../../../demo/fleet/steps.mjs'
import { shownOf } from '../harness/observe.mjs'
import { onStage, TEXT } from '../harness/stage.mjs'
import * as abortInStream from './abort-in-stream.mjs'
import * as abortInWait from './abort-in-wait.mjs'
import * as cut from './cut.mjs'
import * as errorFirst from './error-first.mjs'
import * as errorLate from './error-late.mjs'
import * as outage from './outage.mjs'
import * as refusedKey from './refused-key.mjs'
import * as retryAfter from './retry-after.mjs'

/** Each has a title, `run(subject)`, which answers plain data, and columns that show it. */
export const scenarios = { outage, errorFirst, cut, errorLate, abortInWait, abortInStream, retryAfter, refusedKey }

/** Plays all with one subject, each over servers and an object of its own. @param {any} subject */
export const playAll = async (subject) => {
  // The first call compiles what the times below would otherwise be of.
  await onStage(subject, { primary: answer(TEXT), fallback: answer(TEXT) }, async ({ caller }) => {
    for (let call = 0; call < 3; call++) await Promise.all([caller.ask(), shownOf(caller.stream())])
  })
  const { outage, errorFirst, ...quiet } = scenarios
  // One call each, which mostly waits: at the same time. What makes many calls would disturb them.
  const played = await Promise.all(Object.entries(quiet).map(async ([name, { run }]) => [name, await run(subject)]))
  return {
    ...Object.fromEntries(played),
    outage: await outage.run(subject),
    errorFirst: await errorFirst.run(subject),
  }
}
