import { anyFamily } from './by-shape.ts'
import { isControlFlow } from './kit/control-flow.ts'
import { hasError, type Item, isFilled, isItem } from './kit/stream-shape.ts'
import { throughShape } from './llm.ts'
import { type AdapterProducer, type Classification, codeTable, field } from './producer.ts'

/** Where a message chunk holds what it says. */
const SAID = ['content', 'tool_call_chunks', 'tool_calls']

/** Where a chunk says that the model has finished, and why: the name of the part, then of the field. */
const FINISHED = [
  ['generationInfo', 'finish_reason'],
  ['response_metadata', 'finish_reason'],
  ['response_metadata', 'stop_reason'],
  ['additional_kwargs', 'stop_reason'],
] as const

/** How the Responses API says it. */
const FINAL: ReadonlySet<unknown> = new Set(['completed', 'incomplete', 'failed'])

/** Whose streams are known to say that they are complete: without it, theirs are not. */
const TELLS_END: ReadonlySet<unknown> = new Set(['openai', 'anthropic'])

/** Registered globally by LangChain, so that copies of the package agree. */
const RETRYABLE = Symbol.for('langchain.errors.retryable')

const base = throughShape({
  ...anyFamily('langchain'),
  codes: codeTable(
    {
      context_overflow: 'contextoverflowerror context_overflow',
      vague: {
        transient: 'model_rate_limit ratelimitcapacityerror',
        auth_required: 'model_authentication',
        permanent:
          'model_not_found invalid_prompt_input invalid_tool_results message_coercion_failure modelrefusalerror ratelimitquotaexhaustederror insufficientquotaerror',
      },
    },
    anyFamily('langchain').codes,
  ),
  texts: [
    // What a chat model says of a stream that ended before its first chunk.
    { id: 'empty_response', class: 'ambiguous', any: ['received empty response from chat model call'] },
    ...(anyFamily('langchain').texts ?? []),
  ],
  stream: {
    failureOf: (value) => (isItem(value) && hasError(value) && value['content'] === undefined ? value : undefined),
    isContent: (value) => {
      if (typeof value === 'string') return value !== ''
      const item = messageIn(value)
      if (!isItem(item) || SAID.every((name) => item[name] === undefined)) return undefined
      const more = item['additional_kwargs']
      if (SAID.some((name) => isFilled(item[name]))) return true
      return isItem(more) && (isFilled(more['reasoning_content']) || isFilled(more['tool_calls']))
    },
    isEnd: (value) => {
      const item = messageIn(value)
      if (!isItem(item) || !isItem(item['response_metadata'])) return undefined
      const { model_provider: provider, status } = item['response_metadata']
      if (FINAL.has(status) || FINISHED.some(([part, name]) => isFilled(named(value, item, part)?.[name]))) return true
      return TELLS_END.has(provider) ? false : undefined
    },
  },
})

/**
 * LangChain: looks through its errors at what the API said. `lc_error_code` is made of the status (a spent quota is a
 * `MODEL_RATE_LIMIT` to it), so it is heard late, and last of all LangChain's own stamp of what may be retried and the
 * wait that it read. LangGraph's signals are nobody's failure. Streams: message chunks, whole, in a pair with their
 * metadata, or as callbacks get them.
 */
export const langchain: AdapterProducer = {
  ...base,
  classify: (raw, env) => {
    if (isControlFlow(raw)) return undefined
    const found = base.classify(raw, env) ?? stamped(raw)
    if (found?.class !== 'transient' || found.retryAfterSecs !== undefined) return found
    const waitMs = alongCauses(raw, (place) => field(place, 'retryAfterMs'))
    return typeof waitMs === 'number' && waitMs >= 0 && waitMs < Number.POSITIVE_INFINITY
      ? { ...found, retryAfterSecs: waitMs / 1_000 }
      : found
  },
}

/** The message of an item: itself, the first of a pair, or what a generation chunk holds. */
function messageIn(value: unknown): unknown {
  const item = Array.isArray(value) ? value[0] : value
  return isItem(item) && isItem(item['message']) ? item['message'] : item
}

/** `generationInfo` stands beside the message, the rest in it. */
function named(value: unknown, message: Item, part: string): Item | undefined {
  const found = message[part] ?? (isItem(value) ? value[part] : undefined)
  return isItem(found) ? found : undefined
}

function stamped(raw: unknown): Classification | undefined {
  // An abort bears the stamp too, and is no fault of the model's.
  const told = alongCauses(raw, (place) => (isAbort(field(place, 'name')) ? 'abort' : stampOf(place)))
  if (typeof told !== 'boolean') return undefined
  return { class: told ? 'transient' : 'permanent', detail: { rule: 'langchain.retryable' } }
}

function isAbort(name: unknown): boolean {
  return typeof name === 'string' && /abort/i.test(name)
}

function stampOf(place: object): unknown {
  try {
    return Object.getOwnPropertyDescriptor(place, RETRYABLE)?.value
  } catch {
    return undefined
  }
}

/** Agents wrap what a middleware throws, once for each layer. */
const MOST_CAUSES = 8

/** The first answer along an error's causes. */
function alongCauses(raw: unknown, read: (place: object) => unknown): unknown {
  let place: unknown = raw
  for (let depth = 0; depth < MOST_CAUSES && typeof place === 'object' && place !== null; depth += 1) {
    const found = read(place)
    if (found !== undefined) return found
    place = field(place, 'cause')
  }
  return undefined
}
