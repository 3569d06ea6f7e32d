import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { refusals, streamFailures } from '../../demo/data/bodies.mjs'

interface Line {
  readonly event: string
  readonly scenario: string
  readonly callId?: string
  readonly candidate?: string
  readonly reason?: string
  readonly delayMs?: number
}

const MAIN = fileURLToPath(new URL('../../demo/main.mjs', import.meta.url))

/** Runs the demo as a user would, against the built package. */
function runDemo(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((done) => {
    const child = execFile(process.execPath, [MAIN, ...args], { maxBuffer: 1e7 }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
    child.stdin?.end()
  })
}

let run: Awaited<ReturnType<typeof runDemo>>
let lines: Line[]
const linesOf = (scenario: string) => lines.filter((line) => line.scenario === scenario)
const toldOf = (scenario: string) =>
  linesOf(scenario).map(({ event, reason }) => (reason === undefined ? event : `${event} ${reason}`))

beforeAll(async () => {
  run = await runDemo('--json')
  lines = run.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
})

test('every scenario ends as it should, every count is equal, and nothing is complained of', () => {
  expect(run.stderr).toBe('sign in to anthropic again: done by itself after 1 s, as there is no terminal\n')
  expect(run.code).toBe(0)
})

const CANNOT_WAIT = ['attempt', 'failure', 'cooling', 'advance wait_too_long']
const DEAD = ['attempt', 'failure', 'advance permanent']

test.each([
  ['transient-floor', ['attempt', 'failure', 'cooling', 'retry retry_after', 'attempt', 'recovered', 'success']],
  ['quota-of-hours', [...CANNOT_WAIT, ...CANNOT_WAIT, 'attempt', 'success', 'advance start', 'attempt', 'success']],
  ['permanent', [...DEAD, 'attempt', 'success']],
  [
    'auth',
    [
      'attempt',
      'failure',
      'auth_prompt',
      'pause auth_required',
      'auth_resolved',
      'resume',
      'retry resumed',
      'attempt',
      'success',
    ],
  ],
  ['overflow-larger', ['attempt', 'failure', 'advance larger_window', 'attempt', 'success']],
  ['overflow-reduced', ['attempt', 'failure', 'reduce', 'retry reduced', 'attempt', 'success']],
  ['unknown-class', ['attempt', 'failure', 'passthrough unknown_class', 'surface unknown_class']],
  ['ambiguous', ['attempt', 'failure', 'surface ambiguous']],
  ['stream-recovers', ['attempt', 'failure', 'retry backoff', 'attempt', 'commit', 'success']],
  ['stream-cut', ['attempt', 'commit', 'failure', 'surface committed']],
  ['chain-dead', [...DEAD, ...DEAD, 'attempt', 'failure', 'chain_dead', 'surface all_permanent']],
])('%s is told in this order', (scenario, told) => {
  expect(toldOf(scenario)).toEqual(told)
})

test('in the outage, twenty calls end at the fallback and the repeats are bounded by the budget', () => {
  const named = (event: string) => linesOf('outage').filter((line) => line.event === event)
  expect(new Set(named('success').map((line) => line.callId)).size).toBe(20)
  expect(new Set(named('success').map((line) => line.candidate))).toEqual(new Set(['openai/gpt-4o']))
  expect(named('advance')).toHaveLength(20)
  expect(named('retry').length).toBeLessThanOrEqual(5)
  expect(named('chain_dead')).toHaveLength(0)
})

test('the floor is in the wait, and a quota of hours is not', () => {
  const [retry] = linesOf('transient-floor').filter((line) => line.event === 'retry')
  expect(retry?.delayMs).toBeGreaterThanOrEqual(1_000)
  const advances = linesOf('quota-of-hours').filter((line) => line.event === 'advance')
  expect(advances.map((line) => line.delayMs)).toEqual([0, 0, 0])
})

test('no text of a provider is in the events', () => {
  type Body = { readonly message: string } | { readonly error: { readonly message: string } }
  const bodies = Object.values<{ body: Body }>(refusals).map(({ body }) => body)
  bodies.push(...Object.values<Body>(streamFailures))
  const texts = bodies.map((body) => ('error' in body ? body.error.message : body.message))
  expect(texts.length).toBeGreaterThan(10)
  for (const text of texts.filter((each) => each !== 'example')) expect(run.stdout).not.toContain(text)
})

test('a request that heed knows nothing of makes the demo fail', async () => {
  const planted = await runDemo('--only', 'permanent', '--plant-mismatch')
  expect(planted.code).toBe(1)
  expect(planted.stdout).toMatch(/permanent +openai\/gpt-4o +1 +1 +2 +DIFFERS/)
  expect(planted.stdout).toContain('1 of 1 scenarios as expected, 1 of 2 counts equal')
})

test('a scenario that is not there is refused with the names of those that are', async () => {
  const refused = await runDemo('--only', 'nothing')
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('transient-floor')
})
