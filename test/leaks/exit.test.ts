import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { bundledCopy } from '../laws/bundled-copy.ts'

/** Calls that have ended in every way, with limits and waits of hours; then what keeps the process alive is printed. */
const PROGRAM = `
const { heed } = ${bundledCopy}
const failure = (stated, hint) => Object.assign(new Error(stated), { class: stated, retry_after_secs: hint })
const candidates = [{ id: 'one', provider: 'acme' }]
const hours = 3_600_000
const limits = { timeoutMs: 9 * hours, attemptTimeoutMs: 2 * hours, idleTimeoutMs: hours, maxWaitMs: 8 * hours }
const guards = () => heed({ candidates, ...limits })
async function* items() { yield 1; yield 2 }
const aborted = async (fn) => {
  const controller = new AbortController()
  const outcome = guards().settle(fn, { abortSignal: controller.signal })
  await new Promise(setImmediate)
  const waiting = process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length
  controller.abort('enough')
  return [waiting, (await outcome).status]
}
const told = []
told.push(await guards().execute(() => 'value'))
told.push((await guards().settle(() => { throw failure('permanent') })).status)
told.push(await aborted(() => { throw failure('transient', 7_200) }))
told.push(await aborted(() => { throw failure('auth_required') }))
told.push(await aborted(() => new Promise(() => {})))
for await (const item of guards().stream(items)) if (item === 1) { told.push('left'); break }
for await (const item of guards().stream(items)) told.push(item)
told.push(process.getActiveResourcesInfo().filter((each) => each === 'Timeout' || each === 'Immediate'))
process.on('exit', () => console.log(JSON.stringify(told)))
`

test('a process whose calls have ended has nothing of heed to wait for, and exits', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module'], {
    input: PROGRAM,
    encoding: 'utf8',
    timeout: 60_000,
  })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual([
    'value',
    'failed',
    [1, 'cancelled'],
    [1, 'cancelled'],
    [1, 'cancelled'],
    'left',
    1,
    2,
    [],
  ])
  expect(status).toBe(0)
})
