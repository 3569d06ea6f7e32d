import type { AIMessageChunk } from '@langchain/core/messages'
import { StringOutputParser } from '@langchain/core/output_parsers'
import { concat } from '@langchain/core/utils/stream'
import { heedModels, heedRunnable } from 'heed/integrations/langchain'
import { createAgent } from 'langchain'
import { describe, expect, test } from 'vitest'
import { refusals } from '../kit/refusals.ts'
import { answer, refuse } from '../kit/steps.ts'
import { HELLO, onScene } from './scene.ts'

const failsOver = [[refuse(refusals.chat.permanent)], [answer('one two')]]
const second = { candidate: 'b', provider: 'two', attempts: 2 }

describe('who served', () => {
  test('is said in the message of an agent', async () => {
    await onScene(failsOver, async ({ models: [own, other] }) => {
      const middleware = [heedModels({ fallbacks: [{ model: other!, id: 'b', provider: 'two' }] })]
      const { messages } = await createAgent({ model: own!, tools: [], middleware }).invoke(HELLO)
      expect(messages.at(-1)?.response_metadata).toMatchObject({ heed: second, finish_reason: 'stop' })
    })
  })

  test('is said in the message of a Runnable, and once in a stream', async () => {
    await onScene(failsOver, async ({ models: [own, other] }) => {
      const candidates = [
        { model: own!, id: 'a', provider: 'one' },
        { model: other!, id: 'b', provider: 'two' },
      ]
      const chain = heedRunnable({ candidates })
      expect((await chain.invoke('Hello')).response_metadata['heed']).toEqual(second)
      let whole: AIMessageChunk | undefined
      for await (const chunk of await chain.stream('Hello')) whole = whole === undefined ? chunk : concat(whole, chunk)
      expect(whole?.content).toBe('one two')
      expect(whole?.response_metadata['heed']).toEqual(second)
    })
  })

  test('is said of each layer, and not of an answer that has no place for it', async () => {
    await onScene([[answer('well')]], async ({ models: [model] }) => {
      const inner = heedRunnable({ candidates: [{ model: model!, id: 'a', provider: 'one' }] })
      const outer = heedRunnable({ candidates: [{ model: inner, id: 'inner', provider: 'two' }] })
      expect((await outer.invoke('Hello')).response_metadata['heed']).toEqual({
        candidate: 'inner',
        provider: 'two',
        attempts: 1,
        below: { candidate: 'a', provider: 'one', attempts: 1 },
      })
      const text = heedRunnable({ candidates: [{ model: model!.pipe(new StringOutputParser()), id: 'a' }] })
      expect(await text.invoke('Hello')).toBe('well')
    })
  })
})
