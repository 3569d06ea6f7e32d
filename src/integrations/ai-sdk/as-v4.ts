import type {
  LanguageModelV2,
  LanguageModelV2FinishReason,
  LanguageModelV2StreamPart,
  LanguageModelV2Usage,
  LanguageModelV3,
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
  LanguageModelV4,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { asV3Prompt } from './prompt.ts'

/** A model of any version of the specification that the SDK accepts. */
export type AnyLanguageModel = LanguageModelV4 | LanguageModelV3 | LanguageModelV2

type V2Part = Extract<LanguageModelV2StreamPart, { type: 'finish' }>

/**
 * A model as the current specification has it. Older ones are adapted as the SDK's own (unexported) adapters do, field
 * by field: the prompt's files going in; files, finish reason and usage coming out. What the SDK leaves alone stays.
 */
export function asV4(model: AnyLanguageModel): LanguageModelV4 {
  if (model.specificationVersion === 'v4') return model
  const isV2 = model.specificationVersion === 'v2'
  const older = model as LanguageModelV3
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    get supportedUrls() {
      return older.supportedUrls
    },
    doGenerate: async (options) => {
      const result = await older.doGenerate({ ...options, prompt: asV3Prompt(options.prompt) })
      return {
        ...result,
        ...(isV2 ? endingOf(result) : undefined),
        content: result.content.map((part) => contentOf(part)),
      }
    },
    doStream: async (options) => {
      const result = await older.doStream({ ...options, prompt: asV3Prompt(options.prompt) })
      return { ...result, stream: mapped<LanguageModelV4StreamPart>(result.stream, isV2 ? partOfV2 : contentOf) }
    },
  }
}

/** Nothing is read ahead: what the consumer does not ask for is not asked of the model. */
function mapped<T>(
  source: ReadableStream<LanguageModelV3StreamPart>,
  map: (part: LanguageModelV3StreamPart) => T,
): ReadableStream<T> {
  const reader = source.getReader()
  return new ReadableStream<T>(
    {
      pull: async (controller) => {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(map(value))
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

function contentOf(part: LanguageModelV3Content): LanguageModelV4Content
function contentOf(part: LanguageModelV3StreamPart): LanguageModelV4StreamPart
function contentOf(part: LanguageModelV3Content | LanguageModelV3StreamPart): object {
  return part.type === 'file' ? { ...part, data: { type: 'data', data: part.data } } : part
}

function partOfV2(part: LanguageModelV3StreamPart): LanguageModelV4StreamPart {
  return part.type === 'finish' ? { ...part, ...endingOf(part) } : contentOf(part)
}

/** How an answer of version 2 ended, in the words of the later ones. */
function endingOf(answer: Pick<LanguageModelV3GenerateResult, 'finishReason' | 'usage'>): {
  finishReason: LanguageModelV4FinishReason
  usage: LanguageModelV4Usage
} {
  const { finishReason, usage } = answer as unknown as Pick<V2Part, 'finishReason' | 'usage'>
  return { finishReason: { unified: unified(finishReason), raw: undefined }, usage: usageOf(usage) }
}

function unified(reason: LanguageModelV2FinishReason): LanguageModelV4FinishReason['unified'] {
  return reason === 'unknown' ? 'other' : reason
}

function usageOf(usage: LanguageModelV2Usage): LanguageModelV4Usage {
  const { inputTokens, outputTokens, reasoningTokens, cachedInputTokens, totalTokens } = usage
  return {
    inputTokens: { total: inputTokens, noCache: undefined, cacheRead: cachedInputTokens, cacheWrite: undefined },
    outputTokens: { total: outputTokens, text: undefined, reasoning: reasoningTokens },
    ...(totalTokens === undefined ? undefined : { raw: { totalTokens } }),
  }
}
