import { heedModels } from 'heed/integrations/langchain'
import { createAgent, createMiddleware } from 'langchain'
import { describe, expect, test } from 'vitest'
import { refusals } from '../kit/refusals.ts'
import { answer, errorEvent, refuse, resetMidway, unfinished } from '../kit/steps.ts'
import { heedErrorIn } from '../kit/table.ts'
import { textOf } from './hosts.ts'
import { HELLO, heard, onScene, rejection } from './scene.ts'

/** What a UI shows of an agent under `streamMode: 'messages'`, and what ended it. */
async function shown(agent: {
  stream: ReturnType<typeof createAgent>['stream']
}): Promise<{ texts: string[]; ids: Set<unknown>; error?: unknown }> {
  const texts: string[] = []
  const ids = new Set<unknown>()
  try {
    for await (const [chunk] of await agent.stream(HELLO, { streamMode: 'messages' })) {
      ids.add(chunk.id)
      const text = textOf(chunk.content)
      if (text !== '') texts.push(text)
    }
  } catch (error) {
    return { texts, ids, error }
  }
  return { texts, ids }
}

describe("streamMode: 'messages'", () => {
  test('what was shown is never shown again: a model that dies after two tokens is not replaced', async () => {
    await onScene(
      [[resetMidway({ afterTokens: 2 })], [answer('B1 B2')]],
      async ({ servers: [a, b], models: [first, second] }) => {
        const middleware = heedModels({ fallbacks: [second!], idempotent: true })
        const commits = heard(middleware, 'commit')
        const surfaced = heard(middleware, 'surface')
        const { texts, error } = await shown(createAgent({ model: first!, tools: [], middleware: [middleware] }))
        expect(texts.join('')).not.toContain('B1')
        expect(error).toBeDefined()
        expect([a!.requests.length, b!.requests.length]).toEqual([1, 0])
        expect(commits).toHaveLength(1)
        expect(surfaced.map(({ reason }) => reason)).toEqual(['committed'])
      },
    )
  })

  test('an error event after content surfaces, and the UI has what came before it once', async () => {
    const dies = errorEvent(refusals.chat.transientInStream, { afterTokens: 2 })
    await onScene([[dies], [answer('B1 B2')]], async ({ models: [first, second] }) => {
      const { texts, error } = await shown(
        createAgent({ model: first!, tools: [], middleware: [heedModels({ fallbacks: [second!] })] }),
      )
      expect(texts).toEqual(['t0 ', 't1 '])
      expect(heedErrorIn(error)).toBeUndefined()
    })
  })

  test('before content the next model is asked, and its answer is all that the UI shows', async () => {
    const dies = errorEvent(refusals.chat.permanentInStream)
    await onScene([[dies], [answer('B1 B2')]], async ({ models: [first, second] }) => {
      const { texts, error } = await shown(
        createAgent({ model: first!, tools: [], middleware: [heedModels({ fallbacks: [second!] })] }),
      )
      expect(error).toBeUndefined()
      expect(texts).toEqual(['B1 ', 'B2'])
    })
  })

  test('an answer that was broken off is no answer', async () => {
    await onScene([[unfinished({ afterTokens: 3 })]], async ({ models: [model] }) => {
      const { texts, error } = await shown(createAgent({ model: model!, tools: [], middleware: [heedModels()] }))
      expect(texts).toHaveLength(3)
      expect(heedErrorIn(error)).toMatchObject({ reason: 'incomplete_stream' })
    })
  })

  test('nothing is streamed that nobody listens to: the model is asked for a whole answer', async () => {
    await onScene([[answer('whole')]], async ({ servers: [server], models: [model] }) => {
      const agent = createAgent({ model: model!, tools: [], middleware: [heedModels()] })
      expect((await agent.invoke(HELLO)).messages.at(-1)?.content).toBe('whole')
      expect(server!.requests.map(({ stream }) => stream)).toEqual([false])
    })
  })
})

describe('an agent', () => {
  test('a refused credential is never turned into an answer: it surfaces with its class', async () => {
    await onScene([[refuse(refusals.chat.authRequired)]], async ({ servers: [server], models: [model] }) => {
      const middleware = heedModels({ auth: () => 'surface' })
      const agent = createAgent({ model: model!, tools: [], middleware: [middleware] })
      const error = heedErrorIn(await rejection(agent.invoke(HELLO)))
      expect(error).toMatchObject({ class: 'auth_required', reason: 'auth_required' })
      expect(server!.requests).toHaveLength(1)
    })
  })

  test('what other middleware throws is theirs: no second attempt, and the same error is its cause', async () => {
    await onScene([[answer('never')]], async ({ servers: [server], models: [model] }) => {
      const odd = new Error('not for sale')
      const refuses = createMiddleware({
        name: 'refuses',
        wrapModelCall: () => {
          throw odd
        },
      })
      const agent = createAgent({ model: model!, tools: [], middleware: [heedModels(), refuses] })
      let error = (await rejection(agent.invoke(HELLO))) as Error
      while (error.cause instanceof Error) error = error.cause
      expect(error).toBe(odd)
      expect(server!.requests).toHaveLength(0)
    })
  })
})
