import { RunnableLambda } from '@langchain/core/runnables'
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons'
import { Command, GraphInterrupt, interrupt, MemorySaver, NodeInterrupt, ParentCommand } from '@langchain/langgraph'
import { heedModels, heedRunnable } from 'heed/integrations/langchain'
import { langchain } from 'heed/producers/langchain'
import { treatAs } from 'heed/strategies/unknown/treat-as'
import { fakeClock, producedError } from 'heed/testing'
import { createAgent, createMiddleware } from 'langchain'
import { describe, expect, test } from 'vitest'
import { answer } from '../kit/steps.ts'
import { HELLO, heard, onScene, rejection } from './scene.ts'

/** What steers a graph. The text is a user's and looks like a failure that one would retry. */
const TEXT = '429 rate limit exceeded, retry after 2s: approve?'
const signals: readonly (readonly [string, unknown])[] = [
  ['GraphInterrupt', new GraphInterrupt([{ value: TEXT }])],
  ['NodeInterrupt', new NodeInterrupt(TEXT)],
  ['ParentCommand', new ParentCommand(new Command({ graph: Command.PARENT, update: { text: TEXT } }))],
  ['a Command', new Command({ goto: 'elsewhere', update: { text: TEXT } })],
  [
    'one that has lost its prototype',
    { ...new GraphInterrupt([{ value: TEXT }]), name: 'GraphInterrupt', message: TEXT },
  ],
]

describe.each(signals)('%s', (_name, signal) => {
  test('is nobody s failure to the producer', () => {
    expect(langchain.classify(signal, { nowMs: 0 })).toBeUndefined()
  })

  test('passes through by identity, whatever reads and maps failures, and leaves nothing behind', async () => {
    const clock = fakeClock()
    let asked = 0
    const throwing = RunnableLambda.from(() => {
      asked += 1
      throw signal
    })
    const controller = new AbortController()
    const guard = heedRunnable({
      candidates: [
        { id: 'a', provider: 'a', model: throwing },
        { id: 'b', provider: 'b', model: throwing, producer: { classify: () => ({ class: 'transient' }) } },
      ],
      producer: { classify: () => ({ class: 'transient', retryAfterSecs: 1 }) },
      unclassified: treatAs('transient'),
      idempotent: true,
      clock,
    })
    const passed = heard(guard, 'passthrough')
    expect(await rejection(guard.invoke('x', { signal: controller.signal }))).toBe(signal)
    expect(asked).toBe(1)
    expect(passed).toHaveLength(1)
    expect(clock.pendingTimers).toBe(0)
    expect(guard.health.snapshot().cooling).toEqual([])
  })
})

describe('an interrupt inside a model call', () => {
  test('reaches the graph at once, is answered, and the model is asked once', async () => {
    await onScene([[answer('done')], [answer('never')]], async ({ servers: [a, b], models: [first, second] }) => {
      let gated = 0
      const gate = createMiddleware({
        name: 'gate',
        wrapModelCall: (request, handler) => {
          gated += 1
          expect(interrupt(TEXT)).toBe('yes')
          return handler(request)
        },
      })
      const models = heedModels({ fallbacks: [second!], unclassified: treatAs('transient') })
      const attempts = heard(models, 'attempt')
      const agent = createAgent({
        model: first!,
        tools: [],
        middleware: [models, gate],
        checkpointer: new MemorySaver(),
      })
      const config = { configurable: { thread_id: 't' } }
      const paused = (await agent.invoke(HELLO, config)) as {
        readonly __interrupt__?: readonly { readonly value: unknown }[]
      }
      expect(paused.__interrupt__?.map(({ value }) => value)).toEqual([TEXT])
      expect([gated, attempts.length, a!.requests.length]).toEqual([1, 1, 0])
      const resumed = await agent.invoke(new Command({ resume: 'yes' }), config)
      expect(resumed.messages.at(-1)?.content).toBe('done')
      expect([gated, a!.requests.length, b!.requests.length]).toEqual([2, 1, 0])
    })
  })
})

test('an attempt after a wait runs in its own graph, whoever s timer began it', async () => {
  await onScene([[answer('done')]], async ({ models: [model] }) => {
    const seen: (readonly [unknown, unknown])[] = []
    const failed = new Set<unknown>()
    const inner = createMiddleware({
      name: 'inner',
      wrapModelCall: (request, handler) => {
        const thread = request.messages.at(-1)?.content
        seen.push([thread, AsyncLocalStorageProviderSingleton.getRunnableConfig()?.configurable?.['thread_id']])
        if (failed.has(thread)) return handler(request)
        failed.add(thread)
        throw producedError('transient')
      },
    })
    const models = heedModels({ backoff: () => 5, budget: false })
    const checkpointer = new MemorySaver()
    const agent = createAgent({ model: model!, tools: [], middleware: [models, inner], checkpointer })
    const threads = ['t', 'u', 'v', 'w']
    await Promise.all(
      threads.map((thread) =>
        agent.invoke({ messages: [{ role: 'user', content: thread }] }, { configurable: { thread_id: thread } }),
      ),
    )
    expect(seen).toHaveLength(8)
    expect(seen.filter(([own, found]) => own !== found)).toEqual([])
  })
})
