import { MockLanguageModelV4 } from 'ai/test'
import { createHealth } from 'heed'
import { heedMiddleware as aiMiddleware, heedModel as aiModel, heedEmbeddingModel } from 'heed/integrations/ai-sdk'
import { heedMiddleware as anthropicMiddleware, heedAnthropic } from 'heed/integrations/anthropic'
import { heedModels, heedRunnable, heedTools } from 'heed/integrations/langchain'
import { heedMcp, trustAnnotations } from 'heed/integrations/mcp'
import { heedOpenAI } from 'heed/integrations/openai'
import { heedModel as agentsModel, heedModelProvider, heedRetryPolicy } from 'heed/integrations/openai-agents'
import { observe } from 'heed/integrations/otel'
import { describe, expect, test } from 'vitest'
import { speaking } from './openai-agents/fakes.ts'

type Made = (options: never) => unknown

const NEEDING: readonly (readonly [string, Made])[] = [
  ['heedOpenAI', heedOpenAI],
  ['heedAnthropic', heedAnthropic],
  ['heedModel', aiModel],
  ['heedEmbeddingModel', heedEmbeddingModel],
  ['heedModel', agentsModel],
  ['heedModelProvider', heedModelProvider],
  ['heedRunnable', heedRunnable],
]

const NEEDING_NONE: readonly (readonly [string, Made])[] = [
  ['heedMiddleware', aiMiddleware],
  ['heedMiddleware', anthropicMiddleware],
  ['heedModels', heedModels],
  ['heedTools', heedTools],
  ['heedRetryPolicy', heedRetryPolicy],
]

describe('what is no object of options is refused, with the host and the fix', () => {
  test.each(NEEDING)('%s', (host, make) => {
    for (const given of [undefined, null, 'gpt-5', [speaking('Hi')]]) {
      expect(() => make(given as never)).toThrow(
        new TypeError(`${host}: the options: give an object with candidates at least`),
      )
    }
  })

  test.each(NEEDING_NONE)('%s, which may be given none', (host, make) => {
    make(undefined as never)
    for (const given of [null, 'gpt-5', []]) {
      expect(() => make(given as never)).toThrow(TypeError)
      expect(() => make(given as never)).toThrow(`${host}: the options: give an object `)
    }
  })

  test('heedMcp', () => {
    for (const given of [undefined, null]) {
      expect(() => heedMcp(given as never)).toThrow('heedMcp: candidates: give a list')
    }
  })
})

describe('what would be ignored, or fail later in words of the language, is refused', () => {
  const model = new MockLanguageModelV4()
  test.each<[string, () => unknown, string]>([
    [
      'candidates of an agent',
      () => heedModels({ candidates: [] } as never),
      'heedModels: candidates: name them fallbacks',
    ],
    ['candidates of tools', () => heedTools({ candidates: [] } as never), 'heedTools: candidates: the agent'],
    [
      'candidates of a wrapped model',
      () => aiMiddleware({ candidates: [model] } as never),
      'heedMiddleware: candidates: it serves the one model that it wraps; for a chain make a model with heedModel',
    ],
    [
      'candidates of a policy',
      () => heedRetryPolicy({ candidates: [] } as never),
      'heedRetryPolicy: candidates is not an option; give producer, backoff, maxWaitMs, idempotent, clock or random',
    ],
    [
      'an option of heed that a policy has no use for',
      () => heedRetryPolicy({ attempts: { perTarget: 5 } } as never),
      'heedRetryPolicy: attempts is not an option; give producer, ',
    ],
    ['no model in a middleware', () => anthropicMiddleware({ candidates: [null] } as never), 'heed: candidates[0]: '],
    [
      'a name in a middleware',
      () => anthropicMiddleware({ candidates: [{}, 'claude'] } as never),
      'heed: candidates[1]: give an object with model, ',
    ],
    ['a primary model that is none', () => heedModels({ primary: null } as never), 'heedModels: primary: give an obj'],
    ['a call that is no function', () => heedModels({ call: {} } as never), 'heedModels: call: give a function'],
    [
      'a call of a Runnable that is no function',
      () => heedRunnable({ candidates: [], call: {} } as never),
      'heedRunnable: call: give a function',
    ],
    [
      'a reduce that is no function',
      () => aiModel({ candidates: [model], reduce: 3 } as never),
      'heedModel: reduce: give a function',
    ],
    [
      'a reduce of a wrapped model that is no function',
      () => aiMiddleware({ reduce: 3 } as never),
      'heedMiddleware: reduce: give a function',
    ],
    ['no health', () => observe({} as never), 'observe: health: give the health of a guard'],
    ['nothing to observe', () => observe(undefined as never), 'observe: health: give the health of a guard'],
    ['null for options', () => observe(createHealth(), null as never), 'observe: the options: give an object with'],
    [
      'a provider of no tracers',
      () => observe(createHealth(), { tracerProvider: {} } as never),
      'observe: tracerProvider: give a TracerProvider',
    ],
    [
      'a provider of no meters',
      () => observe(createHealth(), { meterProvider: null } as never),
      'observe: meterProvider: give a MeterProvider',
    ],
    ['an odd operation', () => observe(createHealth(), { operation: 3 } as never), 'observe: operation: give a name'],
    [
      'no tools',
      () => trustAnnotations(undefined as never),
      'trustAnnotations: tools: give (await client.listTools())',
    ],
    [
      'the answer that the tools are in',
      () => trustAnnotations({ tools: [] } as never),
      'trustAnnotations: tools: give (await client.listTools()).tools',
    ],
    [
      'a tool without a name',
      () => trustAnnotations([{ name: 'a' }, null] as never),
      'trustAnnotations: tools[1]: give a tool with its name',
    ],
  ])('%s', (_name, make, told) => {
    expect(make).toThrow(TypeError)
    expect(make).toThrow(told)
  })
})
