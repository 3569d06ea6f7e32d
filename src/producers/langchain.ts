import { anyFamily } from './by-shape.ts'
import { hasError, isFilled, isItem } from './kit/stream-shape.ts'
import { throughShape } from './llm.ts'
import { type AdapterProducer, codeTable } from './producer.ts'

/** Where a message chunk holds what it says. */
const SAID = ['content', 'tool_call_chunks', 'tool_calls']

/**
 * LangChain: looks through its errors at what the API said. `lc_error_code` is made of the status (a spent quota is a
 * `MODEL_RATE_LIMIT` to it), so it is heard last. Streams: message chunks, whole or in a pair with their metadata.
 */
export const langchain: AdapterProducer = throughShape({
  ...anyFamily('langchain'),
  codes: codeTable(
    {
      context_overflow: 'contextoverflowerror context_overflow',
      vague: {
        transient: 'model_rate_limit',
        auth_required: 'model_authentication',
        permanent: 'model_not_found invalid_prompt_input invalid_tool_results message_coercion_failure',
      },
    },
    anyFamily('langchain').codes,
  ),
  stream: {
    failureOf: (value) => (isItem(value) && hasError(value) && value['content'] === undefined ? value : undefined),
    isContent: (value) => {
      if (typeof value === 'string') return value !== ''
      const item = Array.isArray(value) ? value[0] : value
      if (!isItem(item) || SAID.every((name) => item[name] === undefined)) return undefined
      const more = item['additional_kwargs']
      if (SAID.some((name) => isFilled(item[name]))) return true
      return isItem(more) && (isFilled(more['reasoning_content']) || isFilled(more['tool_calls']))
    },
  },
})
