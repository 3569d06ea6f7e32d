import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

type Part = LanguageModelV4StreamPart

/**
 * Hands the parts on, nothing read ahead; cancelling it reaches the source.
 *
 * An answer that broke off has a finish that says `interrupted`, of the model object's own making, and heed fails the
 * call. It is told of by the part that the SDK has for failures, before that finish: thrown, it would take from
 * `streamText` what has been read; left out, hosts that do not know the reason (Mastra 1) go on and ask for the rest.
 */
export function servedStream(source: ReadableStream<Part>, handedOn: (part: Part) => Part): ReadableStream<Part> {
  const reader = source.getReader()
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await reader.read()
        if (done) return controller.close()
        if (value.type !== 'finish' || value.finishReason.unified !== 'interrupted') {
          return controller.enqueue(handedOn(value))
        }
        const failure = await reader.read().then(
          () => undefined,
          (error: unknown): Part => ({ type: 'error', error }),
        )
        if (failure !== undefined) controller.enqueue(handedOn(failure))
        // Whatever comes after a finish is not read; nobody else would close the source.
        else reader.cancel().catch(() => undefined)
        controller.enqueue(handedOn(value))
        controller.close()
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
