import type { LanguageModelV4 } from '@ai-sdk/provider'
import Anthropic from '@anthropic-ai/sdk'
import { ChatOpenAI } from '@langchain/openai'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { OpenAIProvider } from '@openai/agents-openai'
import { MockLanguageModelV4 } from 'ai/test'
import { heedModel } from 'heed/integrations/ai-sdk'
import { heedMiddleware } from 'heed/integrations/anthropic'
import { heedModels, heedRunnable } from 'heed/integrations/langchain'
import { heedMcp } from 'heed/integrations/mcp'
import { heedModel as agentsModel, heedModelProvider } from 'heed/integrations/openai-agents'
import { describe, expect, test } from 'vitest'
import { speaking } from './openai-agents/fakes.ts'

const credentials = ['key-1', 'key-2']
const aiModel: LanguageModelV4 = new MockLanguageModelV4()
const chat = new ChatOpenAI({ model: 'm', apiKey: 'k', maxRetries: 0 })
const client = new Client({ name: 'kit', version: '1' })
const modelProvider = new OpenAIProvider({ apiKey: 'k' })

describe('credentials that nothing is made of are refused: each would send the same key', () => {
  test.each<[string, () => unknown, string, string]>([
    [
      'a model of the AI SDK',
      // @ts-expect-error the type excludes it
      () => heedModel({ candidates: [aiModel, { model: aiModel, credentials }] }),
      'heedModel: candidates[1].credentials: ',
      'give model as a function of the credential',
    ],
    [
      'a model of the Agents SDK',
      // @ts-expect-error the type excludes it
      () => agentsModel({ candidates: [{ model: speaking('Hi'), credentials }] }),
      'heed: candidates[0].credentials: ',
      'give model as a function of the credential',
    ],
    [
      'a provider of the Agents SDK',
      // @ts-expect-error the type excludes it
      () => heedModelProvider({ candidates: [{ modelProvider, credentials }] }),
      'heed: candidates[0].credentials: ',
      'a ModelProvider and a provider of its own',
    ],
    [
      'a model of LangChain',
      // @ts-expect-error the type excludes it
      () => heedModels({ fallbacks: [{ model: chat, credentials }] }),
      'heedModels: fallbacks[0].credentials: ',
      'give model as a function of the credential',
    ],
    [
      'a Runnable',
      () => heedRunnable({ candidates: [{ model: chat, credentials } as never] }),
      'heedRunnable: candidates[0].credentials: ',
      'give model as a function of the credential',
    ],
    [
      'the own model of an agent',
      // @ts-expect-error the type excludes it
      () => heedModels({ primary: { credentials } }),
      'heedModels: primary.credentials: ',
      'make it a fallback',
    ],
    [
      'a client of MCP',
      // @ts-expect-error the type excludes it
      () => heedMcp({ candidates: [{ id: 'a', client, credentials }] }),
      'heedMcp: candidates[0].credentials: ',
      'a client and a provider of its own',
    ],
    [
      'the client of a middleware',
      // @ts-expect-error the type excludes it
      () => new Anthropic({ apiKey: 'k', middleware: [heedMiddleware({ candidates: [{ credentials }] })] }),
      'heed: candidates[0].credentials: ',
      'heedAnthropic rotates keys',
    ],
  ])('%s', (_name, make, path, fix) => {
    expect(make).toThrow(TypeError)
    expect(make).toThrow(path)
    expect(make).toThrow(fix)
  })

  test('and none of those from which a model is made', () => {
    heedModel({ candidates: [{ model: (_credential) => aiModel, credentials }] })
    agentsModel({ candidates: [{ model: (_attempt) => speaking('Hi'), credentials }] })
    heedRunnable({ candidates: [{ model: (_credential) => chat, id: 'a', provider: 'a', credentials }] })
    heedModel({ candidates: [{ model: aiModel, credentials: undefined }] })
  })
})
