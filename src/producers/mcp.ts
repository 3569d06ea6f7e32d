import { isKnown, readMcpFacts, statedInError, statedInResult } from './dialects/mcp-statement.ts'
import { hasError, isItem, payloadOf } from './kit/stream-shape.ts'
import {
  type AdapterProducer,
  adapter,
  type Classification,
  classifyFacts,
  codeTable,
  derive,
  type Facts,
  type Family,
  type ProducerEnv,
} from './producer.ts'

const rpc: AdapterProducer = adapter({
  id: 'mcp',
  codes: codeTable({
    // Raised by the client itself once a request may have gone out: connection closed, and request timeout.
    ambiguous: '-32000 -32001',
    permanent: '-32700 -32600 -32601 -32602 -32002',
    transient: '-32005',
    auth_required: 'unauthorizederror invalid_token invalid_grant invalid_client',
    vague: { transient: '-32603', permanent: 'insufficient_scope invalid_request' },
  }),
  codeLeads: ['mcp error'],
  codePattern: /mcp error (-\d{5})/,
  texts: [
    {
      // Said by the client, or by the server's own check, of what the tool has answered: it has run.
      id: 'bad_output',
      class: 'ambiguous',
      any: [
        'has an output schema but',
        "does not match the tool's output schema",
        'failed to validate structured content',
        'output validation error',
      ],
      over: '-32600 -32602',
    },
    {
      // Refused before it ran, by a server that has restarted or forgotten: whoever owns the client begins a new session.
      id: 'session_expired',
      class: 'transient',
      any: ['session not found', 'session expired', 'no valid session', 'invalid session', 'server not initialized'],
      status: [400, 404],
      over: '-32000 -32001 -32600',
    },
    // Of a client without a transport; a socket's own wording is the network's.
    { id: 'not_connected', class: 'transient', any: ['not connected'], not: ['socket', 'enotconn'] },
    {
      id: 'session_lost',
      class: 'ambiguous',
      any: ['connection closed', 'session terminated', 'transport closed'],
    },
    { id: 'timeout', class: 'ambiguous', any: ['request timed out', 'maximum total timeout exceeded'] },
    { id: 'rate_limited', class: 'transient', any: ['rate limit', 'too many requests'] },
    {
      id: 'credential',
      class: 'auth_required',
      any: ['unauthorized', 'invalid_token', 'invalid access token'],
      not: ['mcp error -32042'],
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

/** An answer by HTTP was not raised by the client: there servers use its two numbers for whatever they refuse. */
const overHttp: Family = derive(rpc.family, {
  id: 'mcp',
  codes: codeTable({ unknown: '-32000 -32001' }, rpc.family.codes),
})

/**
 * Model Context Protocol: what the server states itself (`data.class` of a JSON-RPC error; `class` in an `isError`
 * result's `structuredContent`, `_meta` or JSON text, each with `retry_after_secs`), else JSON-RPC errors by number and
 * answers of the HTTP transport by status. An `isError` result without a class is an answer for the model, not a
 * failure. A 404 is `transient` where its body says that the session is not known, else `permanent`: an answer does not
 * show whether its request carried one, which alone would tell (`heedMcp` knows, and reads it so). -32042 (URL elicitation required) has no class: it is for the caller, who shows its address and calls again.
 */
export const mcp: AdapterProducer = {
  ...rpc,
  classify: (raw, env) =>
    guarded(() => {
      const facts = readMcpFacts(raw)
      const stated = guarded(() => statedInError(facts) ?? statedInResult(raw))
      return isKnown(stated) ? stated : (guarded(() => byTable(facts, env)) ?? stated)
    }),
  inspect: (value, env) => {
    const stated = guarded(
      () => statedInResult(value) ?? (rpc.inspect(value, env) && statedInError(readMcpFacts(value))),
    )
    return isKnown(stated) ? stated : (rpc.inspect(value, env) ?? stated)
  },
}

function byTable(facts: Facts, { nowMs }: ProducerEnv): Classification | undefined {
  return classifyFacts(facts.status === 0 ? rpc.family : overHttp, facts, nowMs)
}

/** What cannot be read is not classified. */
function guarded(read: () => Classification | undefined): Classification | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
