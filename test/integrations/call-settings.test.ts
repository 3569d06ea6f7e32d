import Anthropic from '@anthropic-ai/sdk'
import { RunnableLambda } from '@langchain/core/runnables'
import { FakeListChatModel } from '@langchain/core/utils/testing'
import { heedModel } from 'heed/integrations/ai-sdk'
import { heedAnthropic } from 'heed/integrations/anthropic'
import { heedModels, heedRunnable } from 'heed/integrations/langchain'
import { heedOpenAI } from 'heed/integrations/openai'
import { createAgent } from 'langchain'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { call, finish, scripted, start, text } from './ai-sdk/scripted.ts'

let sent = 0

const never = async (): Promise<Response> => {
  sent += 1
  return new Response('{}', { status: 404 })
}

const openai = heedOpenAI({ candidates: [{ client: new OpenAI({ apiKey: 'sk', fetch: never }), model: 'm' }] })
const anthropic = heedAnthropic({ candidates: [{ client: new Anthropic({ apiKey: 'sk', fetch: never }), model: 'm' }] })
const messages = [{ role: 'user' as const, content: 'Hello' }]
const chat = new FakeListChatModel({ responses: ['Hi'], maxRetries: 0 } as never)

/** Each host that one call may speak to, and where it says what it does. */
const hosts: readonly (readonly [string, string, (heed: never) => PromiseLike<unknown>])[] = [
  ['chat completions', 'heed: options.heed', (heed) => openai.chat.completions.create({ messages }, { heed })],
  [
    'streamed chat completions',
    'heed: options.heed',
    (heed) => openai.chat.completions.create({ messages, stream: true }, { heed }),
  ],
  ['responses', 'heed: options.heed', (heed) => openai.responses.create({ input: 'Hello' }, { heed })],
  ['messages', 'heed: options.heed', (heed) => anthropic.messages.create({ messages, max_tokens: 1 }, { heed })],
  [
    'the AI SDK',
    'heed: providerOptions.heed',
    (heed) =>
      heedModel({ candidates: [scripted('one', [start, ...text('Hi'), finish()])] }).doGenerate({
        ...call,
        providerOptions: { heed },
      }),
  ],
  [
    'a Runnable',
    'heedRunnable: call()',
    (heed) =>
      heedRunnable({ candidates: [RunnableLambda.from((input: string) => input)], call: () => heed }).invoke(''),
  ],
  [
    'an agent',
    'heedModels: call()',
    (heed) =>
      createAgent({ model: chat, tools: [], middleware: [heedModels({ call: () => heed })] }).invoke({ messages }),
  ],
]

test.each(hosts)(
  '%s: a setting of a call that would be ignored is refused before anything is sent',
  async (...host) => {
    const [, path, ask] = host
    sent = 0
    const refused = async (heed: unknown): Promise<string> => {
      const error = await ask(heed as never).then(undefined, (thrown: unknown) => thrown)
      expect((error as Error).name).toBe('TypeError')
      return (error as Error).message
    }
    expect(await refused({ idempotnt: true })).toContain(
      `${path}.idempotnt is no setting; give idempotent (true or false)`,
    )
    expect(await refused({ idempotent: 'yes' })).toContain(`${path}.idempotent is no boolean; give idempotent (true or`)
    expect(await refused({ timeoutMs: '5s' })).toContain(`${path}.timeoutMs is no number; give `)
    expect(await refused(null)).toContain(`${path}: give an object with idempotent (true or false), timeoutMs`)
    expect(sent).toBe(0)
  },
)

test('a setting that is left undefined is as one that is not there', async () => {
  const settings = { idempotent: undefined, timeoutMs: undefined, inputTokens: undefined, reduce: undefined }
  const error = await openai.chat.completions
    .create({ messages }, { heed: settings })
    .catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ reason: 'all_permanent' })
})
