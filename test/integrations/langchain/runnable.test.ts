import type { AIMessageChunk } from '@langchain/core/messages'
import { StringOutputParser } from '@langchain/core/output_parsers'
import { ChatPromptTemplate } from '@langchain/core/prompts'
import { RunnableLambda } from '@langchain/core/runnables'
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'
import { heedRunnable } from 'heed/integrations/langchain'
import { describe, expect, test } from 'vitest'
import { refusals } from '../kit/refusals.ts'
import { answer, errorEvent, refuse, resetMidway, stallBeforeHeaders, stallMidway } from '../kit/steps.ts'
import { textOf } from './hosts.ts'
import { heard, onScene, rejection } from './scene.ts'

async function texts(stream: AsyncIterable<AIMessageChunk>): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += textOf(chunk.content)
  return text
}

describe('a stream', () => {
  test('goes on with the next model before content, and never after', async () => {
    const early = errorEvent(refusals.chat.permanentInStream)
    await onScene([[early], [answer('from b')]], async ({ models }) => {
      expect(await texts(await heedRunnable({ candidates: models }).stream('Hello'))).toBe('from b')
    })
    const late = errorEvent(refusals.chat.permanentInStream, { afterTokens: 2 })
    await onScene([[late], [answer('from b')]], async ({ servers: [, b], models }) => {
      await rejection((async () => texts(await heedRunnable({ candidates: models }).stream('Hello')))())
      expect(b!.requests).toHaveLength(0)
    })
  })

  test('asks for a human where LangChain would go on silently', async () => {
    await onScene([[refuse(refusals.chat.authRequired), answer('from a')], [answer('from b')]], async ({ models }) => {
      const chain = heedRunnable({ candidates: models })
      const prompts = heard(chain, 'auth_prompt')
      chain.health.on('pause', ({ provider }) => queueMicrotask(() => chain.auth.resolve(provider)))
      expect(textOf((await chain.invoke('Hello')).content)).toBe('from a')
      expect(prompts).toHaveLength(1)
    })
  })

  test('that its consumer leaves closes the socket', async () => {
    await onScene([[stallMidway({ afterTokens: 3 })]], async ({ servers: [server], models }) => {
      for await (const chunk of await heedRunnable({ candidates: models }).stream('Hello'))
        if (chunk.content !== '') break
      const request = await server!.arrived(1)
      await request.over
      expect(request.left).toBe(true)
    })
  })
})

test('an abort settles at once, with nothing asked afterwards, and closes the socket', async () => {
  await onScene([[stallBeforeHeaders], [answer('never')]], async ({ servers: [a, b], models }) => {
    const controller = new AbortController()
    const chain = heedRunnable({ candidates: models, idempotent: true })
    const surfaced = heard(chain, 'surface')
    const running = rejection(chain.invoke('Hello', { signal: controller.signal }))
    const request = await a!.arrived(1)
    controller.abort(new Error('enough'))
    await running
    await request.over
    expect(request.left).toBe(true)
    expect([a!.requests.length, b!.requests.length]).toEqual([1, 0])
    expect(surfaced.map(({ reason }) => reason)).toEqual(['aborted'])
  })
})

test('is a Runnable: it can be piped, batched and traced', async () => {
  await onScene(
    [[refuse(refusals.chat.permanent)], [answer(({ body }) => `heard ${body.includes('Ulm')}`)]],
    async ({ models }) => {
      const model = heedRunnable({ candidates: models })
      const chain = ChatPromptTemplate.fromTemplate('Weather in {city}?').pipe(model).pipe(new StringOutputParser())
      expect(await chain.invoke({ city: 'Ulm' })).toBe('heard true')
      expect(await chain.batch([{ city: 'Ulm' }, { city: 'Rom' }])).toEqual(['heard true', 'heard false'])
      const names: string[] = []
      await chain.invoke(
        { city: 'Ulm' },
        {
          callbacks: [
            {
              handleChatModelStart: (_llm, _in, _id, _parent, _extra, _tags, _meta, name) => {
                names.push(String(name))
              },
            },
          ],
        },
      )
      expect(names).toHaveLength(2)
    },
  )
})

test('a chain of prompt, model and parser can be a candidate', async () => {
  await onScene([[refuse(refusals.chat.permanent)], [answer('from b')]], async ({ models }) => {
    const chains = models.map((model, at) => ({
      id: `${at}`,
      provider: `${at}`,
      model: model.pipe(new StringOutputParser()),
    }))
    expect(await heedRunnable({ candidates: chains }).invoke('Hello')).toBe('from b')
  })
})

describe('in a graph', () => {
  test("what a chain that holds back has emitted under streamMode 'messages' is not emitted again", async () => {
    await onScene(
      [[resetMidway({ afterTokens: 2 })], [answer('B1 B2')]],
      async ({ servers: [, b], models: [first, second] }) => {
        // Answers only at its end, as a parser of JSON does, while the model's tokens are out already.
        const held = RunnableLambda.from(async (input: string, config) => (await first!.invoke(input, config)).content)
        const chain = heedRunnable({
          candidates: [
            { id: 'a', provider: 'a', model: held },
            { id: 'b', provider: 'b', model: second!.pipe(new StringOutputParser()) },
          ],
          idempotent: true,
        })
        const graph = new StateGraph(MessagesAnnotation)
          .addNode('ask', async (_state, config) => {
            for await (const _chunk of await chain.stream('Hello', config));
            return {}
          })
          .addEdge(START, 'ask')
          .addEdge('ask', END)
          .compile()
        let shown = ''
        await rejection(
          (async () => {
            for await (const [chunk] of await graph.stream({ messages: [] }, { streamMode: 'messages' }))
              shown += textOf(chunk.content)
          })(),
        )
        expect(shown).not.toContain('B1')
        expect(b!.requests).toHaveLength(0)
      },
    )
  })
})
