import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import { MockLanguageModelV4 } from 'ai/test'

export type Part = LanguageModelV4StreamPart

export const usage: LanguageModelV4Usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

export const start: Part = { type: 'stream-start', warnings: [] }
export const metadata = (modelId: string): Part => ({ type: 'response-metadata', modelId })
export const finish = (
  unified: 'stop' | 'error' | 'interrupted' | 'tool-calls' | 'other' = 'stop',
  raw?: string,
): Part => ({
  type: 'finish',
  usage,
  finishReason: { unified, raw },
})
export const text = (...deltas: readonly string[]): readonly Part[] => [
  { type: 'text-start', id: '0' },
  ...deltas.map((delta): Part => ({ type: 'text-delta', id: '0', delta })),
  { type: 'text-end', id: '0' },
]

/** What one call of a scripted model does: streams parts, or throws. A part that is an `Error` fails the stream there. */
export type Take = readonly (Part | Error)[] | Error

export interface Scripted extends MockLanguageModelV4 {
  /** Items that were asked for, over all streams. */
  readonly pulled: number
  /** Reasons with which streams were cancelled. */
  readonly cancelled: readonly unknown[]
}

/** A model that streams or throws take by take, the last one again and again. */
export function scripted(modelId: string, ...takes: readonly Take[]): Scripted {
  const seen = { pulled: 0, cancelled: [] as unknown[] }
  let asked = 0
  const take = (): Take => takes[Math.min(asked++, takes.length - 1)] as Take
  const model = new MockLanguageModelV4({
    provider: `${modelId}-provider.chat`,
    modelId,
    doStream: async () => {
      const now = take()
      if (now instanceof Error) throw now
      const parts = [...now]
      const stream = new ReadableStream<Part>(
        {
          pull: (controller) => {
            seen.pulled += 1
            const part = parts.shift()
            if (part === undefined) controller.close()
            else if (part instanceof Error) controller.error(part)
            else controller.enqueue(part)
          },
          cancel: (reason) => {
            seen.cancelled.push(reason)
          },
        },
        { highWaterMark: 0 },
      )
      return { stream, request: { body: modelId }, response: { headers: { 'x-model': modelId } } }
    },
    doGenerate: async () => {
      const now = take()
      if (now instanceof Error) throw now
      const said = now.flatMap((part) => (!(part instanceof Error) && part.type === 'text-delta' ? [part.delta] : []))
      return {
        content: said.length === 0 ? [] : [{ type: 'text', text: said.join('') }],
        finishReason: { unified: 'stop', raw: undefined },
        usage,
        response: { modelId },
        warnings: [],
      }
    },
  })
  return Object.defineProperties(model, {
    pulled: { get: () => seen.pulled },
    cancelled: { get: () => seen.cancelled },
  }) as Scripted
}

/** An error of a producer that states its class. */
export function stated(errorClass: string, fields: object = {}): Error {
  return Object.assign(new Error('from the producer'), { class: errorClass, ...fields })
}

export const call: LanguageModelV4CallOptions = { prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] }

/** All parts of a stream. */
export async function partsOf(stream: ReadableStream<Part>): Promise<readonly Part[]> {
  const parts: Part[] = []
  for await (const part of stream) parts.push(part)
  return parts
}
