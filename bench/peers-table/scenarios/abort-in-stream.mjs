import { setTimeout as pause } from 'node:timers/promises'
import { answer } from '../../../demo/fleet/steps.mjs'
import { shownOf, until } from '../harness/observe.mjs'
import { onStage, TEXT } from '../harness/stage.mjs'
import { stall } from '../harness/stall.mjs'

export const title = 'The caller aborts a stream that has shown it two words and is silent; watched for 2 s'

export const run = (subject) =>
  onStage(subject, { primary: stall(TEXT, 2), fallback: answer(TEXT) }, async ({ caller, seen }) => {
    const controller = new AbortController()
    let abortedAtMs
    const abort = () => {
      abortedAtMs ??= performance.now()
      controller.abort()
    }
    let end = 'pending'
    shownOf(caller.stream(controller.signal), abort).then((shown) => (end = shown.end))
    if (!(await until(() => abortedAtMs !== undefined, 10_000))) return { after: 0, end: 'never began' }
    await pause(2_000)
    const requests = [...seen('primary'), ...seen('fallback')]
    return { after: requests.filter(({ atMs }) => atMs > abortedAtMs).length, end }
  })

const cell = ({ after, end }) => {
  const requests = after === 0 ? '0' : `**${after}**`
  if (end === 'never began') return end
  return end === 'pending' ? `${requests}, **still held after 2 s**` : requests
}

export const columns = [{ title: 'requests after an abort in the stream', cell }]
