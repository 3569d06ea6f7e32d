import type { RunnableConfig } from '@langchain/core/runnables'
import { langchain } from '../../producers/langchain.ts'

/** What a run emits on its way, and what it answers in the end. */
export type Emission<T> =
  | { readonly chunk: unknown }
  | {
      readonly result: T
      /** Every model that streamed has said that it was finished. */
      readonly complete: boolean
    }

/** Who runs; handed the callbacks to run with. */
type Run<T> = (callbacks: Callbacks) => Promise<T>

type Callbacks = NonNullable<RunnableConfig['callbacks']>

/**
 * Follows a run through LangChain's callbacks, which is how tokens reach a graph's `streamMode: 'messages'` while the
 * run itself answers only at its end: what the UI was shown must not be shown again.
 */
export async function* emissionsOf<T>(run: Run<T>): AsyncGenerator<Emission<T>, undefined> {
  const items: Emission<T>[] = []
  let failed: { readonly error: unknown } | undefined
  let over = false
  let wake = (): void => undefined
  const finished = new Map<string, boolean>()
  const emit = (chunk: unknown, runId: string): void => {
    const ends = langchain.isEnd?.(chunk)
    if (ends !== undefined) finished.set(runId, ends || finished.get(runId) === true)
    items.push({ chunk })
    wake()
  }
  run(listening(emit, (runId) => finished.delete(runId))).then(
    (result) => {
      items.push({ result, complete: ![...finished.values()].includes(false) })
      over = true
      wake()
    },
    (error: unknown) => {
      failed = { error }
      over = true
      wake()
    },
  )
  while (true) {
    // All that was emitted before a failure is handed over before it: it may have been content.
    for (let item = items.shift(); item !== undefined; item = items.shift()) yield item
    if (failed !== undefined) throw failed.error
    if (over) return
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  }
}

/** Whether something of an answer has come out: an item that may be repeated is not. */
export function isContent(item: Emission<unknown>): boolean {
  if ('result' in item) return item.complete || langchain.isContent?.(item.result) !== false
  const { event } = Object(item.chunk) as { readonly event?: unknown }
  return typeof event === 'string' ? event.startsWith('content-block') : (langchain.isContent?.(item.chunk) ?? true)
}

/** Whether the answer is whole. */
export function isEnd(item: Emission<unknown>): boolean {
  return 'result' in item && item.complete
}

/** Callbacks that commit a call once something of its answer has been emitted. */
export function committing(commit: () => void): Callbacks {
  return listening((chunk) => {
    if (isContent({ chunk })) commit()
  })
}

/** A handler that is heard at once, and that makes no model stream which would not. */
function listening(emit: (chunk: unknown, runId: string) => void, lost?: (runId: string) => void): Callbacks {
  const handler = {
    name: 'heed',
    awaitHandlers: true,
    raiseError: false,
    ignoreLLM: false,
    ignoreChain: true,
    ignoreAgent: true,
    ignoreRetriever: true,
    ignoreCustomEvent: true,
    handleLLMNewToken: (
      token: string,
      _at: unknown,
      runId: string,
      _parent: unknown,
      _tags: unknown,
      fields?: { readonly chunk?: unknown },
    ) => emit(fields?.chunk ?? token, runId),
    handleChatModelStreamEvent: (event: unknown, runId: string) => emit(event, runId),
    handleLLMError: (_error: unknown, runId: string) => lost?.(runId),
    copy: () => handler,
  }
  return [handler] as unknown as Callbacks
}
