import { setTimeout as pause } from 'node:timers/promises'
import { answer, refuse } from '../../../demo/fleet/steps.mjs'
import { outcomeOf, until } from '../harness/observe.mjs'
import { refusalOf } from '../harness/refusals.mjs'
import { onStage, TEXT } from '../harness/stage.mjs'

export const title =
  'The primary answers 429 with `Retry-After: 70`, the fallback is well; watched for 3 s, then a second call'

const WATCHED_MS = 3_000

export const run = (subject) => {
  const steps = {
    primary: refuse(refusalOf(subject.host.dialect, 'rateLimited', { 'retry-after': '70' })),
    fallback: answer(TEXT),
  }
  return onStage(subject, steps, async ({ caller, seen }) => {
    const first = new AbortController()
    const call = caller.ask(first.signal)
    call.catch(() => {})
    await until(() => seen('primary').length > 0, 10_000)
    const watched = pause(WATCHED_MS)
    const outcome = await outcomeOf(call, WATCHED_MS)
    await watched
    const [one, again] = seen('primary')
    const againAfterMs = again && Math.round(again.atMs - one.atMs)
    // Who is still at it would be asked by its own schedule, not by the second call.
    first.abort()
    await pause(50)
    return { outcome, againAfterMs, nextCall: await nextCall(caller, seen) }
  })
}

/** Whether another call asks the primary again, though it has asked for 70 s of peace. */
const nextCall = async (caller, seen) => {
  const before = seen('primary').length
  const asked = () => seen('primary').length > before
  const controller = new AbortController()
  let outcome
  outcomeOf(caller.ask(controller.signal), 30_000).then((settled) => (outcome = settled))
  await until(() => asked() || outcome !== undefined, 10_000)
  controller.abort()
  return { asked: asked() }
}

const became = ({ how }) =>
  ({
    served: 'served by the fallback',
    answered: '**the failure is the answer**',
    failed: 'error',
    pending: 'still held after 3 s',
  })[how]

export const columns = [
  { title: '`Retry-After: 70`: the call', cell: ({ outcome }) => became(outcome) },
  {
    title: 'the primary is asked again',
    cell: ({ againAfterMs }) =>
      againAfterMs === undefined ? 'not within 3 s' : `**after ${(againAfterMs / 1_000).toFixed(1)} s**`,
  },
  { title: 'and by the next call', cell: ({ nextCall }) => (nextCall.asked ? '**yes**' : 'no') },
]
