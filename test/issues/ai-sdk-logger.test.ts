import { heedModel } from 'heed/integrations/ai-sdk'
import { afterEach, expect, test } from 'vitest'
import { soon } from './loopback.ts'

const modelOf = (doGenerate: () => unknown, doStream?: () => unknown) =>
  ({ specificationVersion: 'v4', provider: 'p.chat', modelId: 'm', supportedUrls: {}, doGenerate, doStream }) as never
const prompt = () => ({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] }) as never
const set = (log: unknown) => Reflect.set(globalThis, 'AI_SDK_LOG_WARNINGS', log)
afterEach(() => set(undefined))

test("law 14: a logger of the user's that throws fails no call", async () => {
  set(() => {
    throw new Error('the logger is broken')
  })
  let attempts = 0
  const model = heedModel({
    candidates: [
      modelOf(() => {
        attempts += 1
        if (attempts === 1) throw Object.assign(new Error('no'), { class: 'permanent' })
        return { content: [], finishReason: { unified: 'stop' }, usage: {}, warnings: [] }
      }),
    ],
  })
  const call = prompt()
  await soon(model.doGenerate(call))
  expect((await soon(model.doGenerate(call)))[0]).toBe('ok')
})
