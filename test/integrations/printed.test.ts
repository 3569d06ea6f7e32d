import { inspect } from 'node:util'
import Anthropic from '@anthropic-ai/sdk'
import { heedAnthropic } from 'heed/integrations/anthropic'
import { heedMcp } from 'heed/integrations/mcp'
import { heedOpenAI } from 'heed/integrations/openai'
import OpenAI from 'openai'
import { afterEach, expect, test } from 'vitest'
import { inOrder, type ProviderServer, startProvider } from './kit/provider-server.ts'
import { answer } from './kit/steps.ts'

let server: ProviderServer | undefined
afterEach(() => server?.close())

/** What a program may print or send on of a value. */
const printed = (value: unknown): string => inspect(value, { depth: Infinity }) + JSON.stringify({ ...Object(value) })

const SECRET = 'sk-never-shown'
const credentials = [{ id: 'key-1', apiKey: SECRET }]
const ask = { messages: [{ role: 'user' as const, content: 'Hello' }], max_tokens: 8 }

test('who served with OpenAI is printed without a key', async () => {
  server = await startProvider(inOrder(answer('well')))
  const client = new OpenAI({ apiKey: SECRET, baseURL: `${server.url}/v1` })
  const { chat, served } = heedOpenAI({ candidates: [{ client, model: 'm', id: 'a', credentials }] })
  const by = served(await chat.completions.create(ask))
  expect(printed(by)).toContain("id: 'a'")
  expect(printed(by) + printed(by?.candidate)).not.toContain(SECRET)
  expect(by?.candidate.client).toBe(client)
  expect(by?.candidate.credentials).toBe(credentials)
})

test('who served with Anthropic is printed without a key', async () => {
  server = await startProvider(inOrder(answer('well')))
  const client = new Anthropic({ apiKey: SECRET, baseURL: server.url })
  const { messages, served } = heedAnthropic({ candidates: [{ client, model: 'm', id: 'a', credentials }] })
  const by = served(await messages.create(ask))
  expect(printed(by) + printed(by?.candidate)).not.toContain(SECRET)
  expect(by?.candidate.client).toBe(client)
})

test('who served with MCP is printed without what its client holds', async () => {
  const client = { token: SECRET, callTool: async () => ({ content: [] }) }
  const outcome = await heedMcp({ candidates: [{ id: 'a', client }] }).settleTool({ name: 'search' })
  expect(printed(outcome)).toContain("id: 'a'")
  expect(printed(outcome)).not.toContain(SECRET)
  expect(outcome).toMatchObject({ served: { candidate: { client } } })
})
