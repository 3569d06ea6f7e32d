import { heedOpenAI } from 'heed/integrations/openai'
import OpenAI from 'openai'
import { afterEach, expect, test } from 'vitest'
import { closeAll, serve, soon } from './loopback.ts'

afterEach(closeAll)

test('a key that was renewed during the pause is used after it', async () => {
  const server = await serve((_n, request, response) => {
    const good = request.headers.authorization === 'Bearer new'
    response.writeHead(good ? 200 : 401, { 'content-type': 'application/json' })
    const message = { role: 'assistant', content: 'Hi' }
    response.end(
      JSON.stringify(
        good
          ? { id: 'c', choices: [{ index: 0, finish_reason: 'stop', message }] }
          : { error: { message: 'Incorrect API key', code: 'invalid_api_key' } },
      ),
    )
  })
  let apiKey = 'old'
  const credential = {
    id: 'main',
    get apiKey() {
      return apiKey
    },
  }
  const client = new OpenAI({ apiKey: 'none', baseURL: server.url })
  const openai = heedOpenAI({ candidates: [{ client, model: 'm', provider: 'p', credentials: [credential] }] })
  openai.health.on('pause', () => {
    setTimeout(() => {
      apiKey = 'new'
      openai.auth.resolve('p')
    }, 5)
  })
  const ended = await soon(openai.chat.completions.create({ messages: [] }))
  expect(ended).toMatchObject(['ok', { id: 'c' }])
  expect(server.requests()).toBe(2)
})
