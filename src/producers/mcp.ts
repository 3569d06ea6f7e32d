import { hasError, isItem, payloadOf } from './kit/stream-shape.ts'
import { type AdapterProducer, adapter, codeTable } from './producer.ts'

/**
 * Model Context Protocol: JSON-RPC errors by number. -32000 (connection closed) and -32001 (request timeout) are raised
 * by the client once a request may have gone out. A tool's `isError` result is an answer for the model, not a failure.
 */
export const mcp: AdapterProducer = adapter({
  id: 'mcp',
  codes: codeTable({
    ambiguous: '-32000 -32001',
    permanent: '-32700 -32600 -32601 -32602 -32002 -32042',
    transient: '-32005',
    auth_required: 'unauthorizederror invalid_token invalid_grant invalid_client',
    vague: { transient: '-32603', permanent: 'insufficient_scope invalid_request' },
  }),
  codeLeads: ['mcp error'],
  codePattern: /mcp error (-\d{5})/,
  texts: [
    {
      id: 'session_lost',
      class: 'ambiguous',
      any: ['connection closed', 'session terminated', 'transport closed', 'not connected'],
    },
    { id: 'timeout', class: 'ambiguous', any: ['request timed out', 'maximum total timeout exceeded'] },
    { id: 'rate_limited', class: 'transient', any: ['rate limit', 'too many requests'] },
    {
      id: 'credential',
      class: 'auth_required',
      any: ['unauthorized', 'invalid_token', 'invalid access token'],
      status: [400, 401],
    },
  ],
  hints: { text: ['try again in', 'retry after', 'retry in'] },
  stream: {
    failureOf: (value) => {
      const item = payloadOf(value)
      return isItem(item) && hasError(item) && (item['jsonrpc'] !== undefined || item['result'] === undefined)
        ? item
        : undefined
    },
  },
  signature: {
    words: ['mcp error -32'],
    shape: ({ codes }) => codes.some((code) => code.startsWith('-32')),
  },
})
