import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, type LanguageModel, streamText, experimental_streamTextLowMemory as streamTextOnce } from 'ai'
import { type AnyLanguageModel, type HeedModel, type HeedModelOptions, heedModel } from 'heed/integrations/ai-sdk'
import type { DialectName } from '../kit/dialect.ts'
import type { Host, HostCandidate, HostDriver, HostOptions } from '../kit/host.ts'

type SdkCandidate = Exclude<HeedModelOptions['candidates'][number], AnyLanguageModel>

// What the SDK and its providers say to developers of the kit's made-up models is no part of the test.
;(globalThis as { AI_SDK_LOG_WARNINGS?: unknown }).AI_SDK_LOG_WARNINGS = false

/** The SDK's own model for a candidate of the table. */
export function modelAt(dialect: DialectName, { baseUrl, model }: Pick<HostCandidate, 'baseUrl' | 'model'>) {
  const settings = { apiKey: 'PLACEHOLDER', baseURL: `${baseUrl}/v1` }
  if (dialect === 'messages') return createAnthropic(settings)(model)
  return dialect === 'chat' ? createOpenAI(settings).chat(model) : createOpenAI(settings).responses(model)
}

/** A candidate of the table as one of the SDK's. */
export function candidateOf(dialect: DialectName, candidate: HostCandidate): SdkCandidate {
  const { id, provider, contextWindow } = candidate
  return { id, provider, model: modelAt(dialect, candidate), contextWindow }
}

type Streaming = typeof streamText | typeof streamTextOnce

function hostOf(model: HeedModel, streaming: Streaming): Host {
  return {
    health: model.health,
    auth: model.auth,
    unary: async ({ abortSignal, prompt = 'Hello' } = {}) => {
      const { text } = await generateText({ model, prompt, maxRetries: 0, ...(abortSignal && { abortSignal }) })
      return text
    },
    stream: ({ abortSignal, prompt = 'Hello' } = {}) => readText(streaming, model, prompt, abortSignal),
  }
}

async function* readText(
  streaming: Streaming,
  model: LanguageModel,
  prompt: string,
  abortSignal?: AbortSignal,
): AsyncGenerator<string> {
  const { fullStream } = streaming({
    model,
    prompt,
    maxRetries: 0,
    onError: () => undefined,
    ...(abortSignal && { abortSignal }),
  })
  for await (const part of fullStream) {
    if (part.type === 'text-delta') yield part.text
    else if (part.type === 'error') throw part.error
    else if (part.type === 'abort') throw abortSignal?.reason
  }
}

/** `streamText` and `generateText` over one dialect. */
export function sdkDriver(dialect: DialectName): HostDriver {
  const leaving = 'streamText keeps the stream for its other readers: who leaves it aborts; see messages.test.ts'
  return {
    ...driverOf(dialect, streamText),
    cannot: {
      'a consumer that leaves ends the request': leaving,
      'a slow consumer holds the source back': leaving,
    },
  }
}

/** The SDK's streams for one reader, which passes its leaving on. */
export function singleReaderDriver(dialect: DialectName): HostDriver {
  return driverOf(dialect, streamTextOnce)
}

function driverOf(dialect: DialectName, streaming: Streaming): HostDriver {
  const chain = (candidates: readonly HostCandidate[], options: HostOptions): HeedModel =>
    heedModel({ ...(options as HeedModelOptions), candidates: candidates.map((each) => candidateOf(dialect, each)) })
  return {
    name: `ai-sdk, ${dialect}`,
    dialect,
    start: (candidates, options) => hostOf(chain(candidates, options), streaming),
    nest: (candidates, options) => {
      const inner = chain(candidates, options)
      const middle = heedModel({ ...(options as HeedModelOptions), candidates: [inner] })
      return hostOf(heedModel({ ...(options as HeedModelOptions), candidates: [middle] }), streaming)
    },
    differs: {
      'a malformed event first passes through': {
        why: 'the SDK says that it could not read an answer, which is ambiguous: an idempotent call is tried again',
        expect: { requests: [2, 0], text: 'from a', surface: undefined as never },
      },
    },
  }
}
