import { ChatOpenAI } from '@langchain/openai'
import { heedRunnable } from 'heed/integrations/langchain'
import { describe, expect, test } from 'vitest'
import { startProvider } from '../kit/provider-server.ts'
import { refusals } from '../kit/refusals.ts'
import { answer, refuse } from '../kit/steps.ts'
import { heard } from './scene.ts'
import { textOf, withKeys } from './sign-in-desk.ts'

describe("onAuthRequired: 'pause'", () => {
  test('waits in process for whoever resolves the provider', async () => {
    await withKeys({ a: 'new', b: 'old' }, async (made, counts) => {
      const desk = made({ onAuthRequired: 'pause' })
      desk.middleware.health.on('pause', ({ provider }) => {
        desk.keys.a = 'new'
        queueMicrotask(() => desk.middleware.auth.resolve(provider))
      })
      expect(textOf(await desk.ask('t'))).toBe('from a')
      expect(counts()).toEqual([2, 0])
    })
  })
})

test('a model made of its credential is made anew for every attempt', async () => {
  const server = await startProvider((request) =>
    request.headers.authorization === 'Bearer two' ? answer('served') : refuse(refusals.chat.authRequired),
  )
  try {
    const model = (credential: unknown) =>
      new ChatOpenAI({
        model: 'm',
        apiKey: String((credential as { key: string }).key),
        maxRetries: 0,
        configuration: { baseURL: `${server.url}/v1` },
      })
    const credentials = [
      { id: 'first', key: 'one' },
      { id: 'second', key: 'two' },
    ]
    const chain = heedRunnable({ candidates: [{ id: 'm', provider: 'acme', credentials, model }] })
    const attempts = heard(chain, 'attempt')
    expect((await chain.invoke('Hello')).content).toBe('served')
    expect(attempts.map(({ credential }) => credential)).toEqual(['first', 'second'])
  } finally {
    await server.close()
  }
})
