import { Command, interrupt, MemorySaver } from '@langchain/langgraph'
import { type HeedToolsOptions, heedTools } from 'heed/integrations/langchain'
import { fakeClock, producedError } from 'heed/testing'
import { createAgent, FakeToolCallingModel, tool } from 'langchain'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { heedErrorIn } from '../kit/table.ts'
import { HELLO, heard, rejection } from './scene.ts'

type Run = (args: { readonly city: string }, config: { readonly signal?: AbortSignal }) => unknown

/** An agent whose model calls one tool, once, and then answers. */
function withTool(run: Run, options: HeedToolsOptions) {
  const weather = tool(async (args, config) => String(await run(args, config)), {
    name: 'weather',
    description: 'The weather.',
    schema: z.object({ city: z.string() }),
  })
  const guard = heedTools(options)
  const model = new FakeToolCallingModel({ toolCalls: [[{ name: 'weather', args: { city: 'Ulm' }, id: 'c1' }], []] })
  const agent = createAgent({
    model,
    tools: [weather],
    middleware: [guard],
    checkpointer: new MemorySaver(),
  })
  const ask = async (input: unknown = HELLO, signal?: AbortSignal) =>
    agent.invoke(input as typeof HELLO, { configurable: { thread_id: 't' }, ...(signal && { signal }) })
  const answered = (state: Awaited<ReturnType<typeof ask>>): unknown =>
    state.messages.find((message) => message.getType() === 'tool')?.content
  return { guard, ask, answered }
}

/** Fails so often, each time with the same error, and then answers. */
function failing(times: number, error: unknown): { readonly run: Run; readonly runs: () => number } {
  let runs = 0
  return {
    runs: () => runs,
    run: () => {
      runs += 1
      if (runs <= times) throw error
      return 'sunny'
    },
  }
}

const busy = Object.assign(new Error('503 Service Unavailable'), { status: 503 })

test('a tool may be frozen', async () => {
  const weather = tool(async () => 'sunny', { name: 'weather', description: 'The weather.', schema: z.object({}) })
  Object.freeze(Object.assign(weather, { invoke: weather.invoke.bind(weather) }))
  const model = new FakeToolCallingModel({ toolCalls: [[{ name: 'weather', args: {}, id: 'c1' }], []] })
  const middleware = [heedTools({ attemptTimeoutMs: 60_000 })]
  const { messages } = await createAgent({ model, tools: [weather], middleware }).invoke(HELLO)
  expect(messages.find((message) => message.getType() === 'tool')?.content).toBe('sunny')
})

describe('a tool that is not declared idempotent', () => {
  test('is not run again after a failure that may have come late in it', async () => {
    const { run, runs } = failing(1, busy)
    const { ask, guard } = withTool(run, {})
    const surfaced = heard(guard, 'surface')
    let error = (await rejection(ask())) as Error
    while (error !== busy) error = error.cause as Error
    expect(runs()).toBe(1)
    expect(surfaced.map(({ reason }) => reason)).toEqual(['unclassified'])
  })

  test('is run again where the failure itself states that it may be', async () => {
    const clock = fakeClock()
    const { run, runs } = failing(1, producedError('transient', { retryAfterSecs: 30 }))
    const { ask, answered } = withTool(run, { clock, random: () => 0 })
    expect(answered(await clock.run(ask()))).toBe('sunny')
    expect([runs(), clock.now()]).toEqual([2, 30_000])
  })

  test('is not run again when its time is up, and is told so', async () => {
    const clock = fakeClock()
    let signal: AbortSignal | undefined
    const { ask } = withTool(
      (_args, config) => {
        signal = config.signal
        return new Promise((_resolve, reject) =>
          config.signal?.addEventListener('abort', () => reject(config.signal?.reason)),
        )
      },
      { clock, attemptTimeoutMs: 5_000 },
    )
    expect(heedErrorIn(await rejection(clock.run(ask())))).toMatchObject({ reason: 'attempt_timeout' })
    expect(signal?.aborted).toBe(true)
    expect(clock.now()).toBe(5_000)
  })
})

describe('an idempotent tool', () => {
  test('is run again after what its failure is read as', async () => {
    const { run, runs } = failing(2, busy)
    const { ask, answered } = withTool(run, {
      tools: { weather: { idempotent: true } },
      backoff: () => 0,
      budget: false,
    })
    expect(answered(await ask())).toBe('sunny')
    expect(runs()).toBe(3)
  })

  test('only that one', async () => {
    const { run, runs } = failing(2, busy)
    const { ask } = withTool(run, { tools: { search: { idempotent: true } }, backoff: () => 0 })
    await rejection(ask())
    expect(runs()).toBe(1)
  })
})

test('an interrupt inside a tool is answered, and the tool is run once for each run of its node', async () => {
  let runs = 0
  const { ask, answered, guard } = withTool(
    () => {
      runs += 1
      return `approved: ${interrupt('429 rate limit: approve?')}`
    },
    { tools: { weather: { idempotent: true } } },
  )
  const attempts = heard(guard, 'attempt')
  await ask()
  expect(attempts).toHaveLength(1)
  expect(answered(await ask(new Command({ resume: 'yes' })))).toBe('approved: yes')
  expect(runs).toBe(2)
})

test('a login that tools share is asked for once, through the graph', async () => {
  let token = 'old'
  const { ask, answered } = withTool(
    () => {
      if (token === 'old') throw producedError('auth_required')
      return 'sunny'
    },
    { onAuthRequired: 'interrupt', tools: { weather: { provider: 'weather.example' } } },
  )
  const paused = (await ask()) as { readonly __interrupt__?: readonly { readonly value: unknown }[] }
  expect(paused.__interrupt__?.map(({ value }) => value)).toEqual([
    { type: 'auth_required', provider: 'weather.example', refused: [] },
  ])
  token = 'new'
  expect(answered(await ask(new Command({ resume: true })))).toBe('sunny')
})

test('a tool that does not exist is the agent s to answer', async () => {
  const guard = heedTools()
  const attempts = heard(guard, 'attempt')
  const model = new FakeToolCallingModel({ toolCalls: [[{ name: 'made_up', args: {}, id: 'c1' }], []] })
  const other = tool(() => 'x', { name: 'other', description: 'x', schema: z.object({}) })
  // With a message for the model, or in older versions with an error.
  await Promise.allSettled([createAgent({ model, tools: [other], middleware: [guard] }).invoke(HELLO)])
  expect(attempts).toHaveLength(0)
})
