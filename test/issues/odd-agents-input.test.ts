import { heedModel } from 'heed/integrations/openai-agents'
import { expect, test } from 'vitest'

const model = {
  getResponse: async () => ({ output: [], usage: {} }),
  getStreamedResponse: async function* () {},
} as never
const request = { input: 'x', modelSettings: {}, tools: [], handoffs: [] } as never

test('an inputTokens that throws rejects the response, and is not thrown at the call', async () => {
  const failing = heedModel({
    candidates: [model],
    inputTokens: () => {
      throw new Error('cannot count')
    },
  })
  await expect(Promise.resolve().then(() => failing.getResponse(request))).rejects.toThrow('cannot count')
  expect(() => failing.getResponse(request).catch(() => undefined)).not.toThrow()
})

test('advice about an odd error is none', () => {
  const odd = Object.defineProperty(new Error('odd'), 'responseStarted', {
    get: () => {
      throw new Error('a getter that throws')
    },
  })
  expect(() =>
    heedModel({ candidates: [model] }).getRetryAdvice?.({ error: odd, request, stream: false, attempt: 1 } as never),
  ).not.toThrow()
})
