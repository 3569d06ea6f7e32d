import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

type Part = LanguageModelV4StreamPart

/**
 * Hands the parts on, nothing read ahead; cancelling it reaches the source.
 *
 * A finish that says `interrupted` is the SDK's own word for an answer that broke off. heed finds the same and tells the
 * health channel; the consumer has been told by the part, so that no error follows it, which would take from
 * `streamText` what has been read.
 */
export function servedStream(source: ReadableStream<Part>, handedOn: (part: Part) => Part): ReadableStream<Part> {
  const reader = source.getReader()
  let told = false
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await reader.read().catch((error: unknown) => {
          if (told) return { done: true as const, value: undefined }
          throw error
        })
        if (done) return controller.close()
        told = value.type === 'finish' && value.finishReason.unified === 'interrupted'
        controller.enqueue(handedOn(value))
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
