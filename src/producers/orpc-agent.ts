import { readJson } from './kit/literal.ts'
import { firstStatement, type Statement } from './kit/statement.ts'
import { type Item, isItem, itemsIn, payloadOf } from './kit/stream-shape.ts'
import { type AdapterProducer, adapter, codeTable, field } from './producer.ts'

/** The codes of a `CapabilityError`, by what they mean where `retryable` is absent, which reads as `false`. */
const CODES = codeTable({
  permanent: `input_invalid policy_denied policy_failed capability_not_found forbidden timeout cancelled approval_pending
    approval_expired approval_denied approval_rejected execution_failed output_invalid internal_error audit_unavailable`,
  auth_required: 'unauthenticated',
})

/**
 * The procedure may have run: it was cut off, it broke its own contract afterwards, or the failure is concealed and may
 * be either. A pending approval is resumed, not sent again.
 */
const MAYBE_RAN = ['TIMEOUT', 'INTERNAL_ERROR', 'OUTPUT_INVALID', 'CANCELLED', 'APPROVAL_PENDING']

/** Of an envelope that holds an error: as adapters write it, and as the runtime itself does. */
const FAILED = ['error', 'failed', 'cancelled']

/**
 * oRPC Agent: `{ status, error: { code, message, retryable } }`, the same as the text of an MCP result, or a
 * `CapabilityError`. Code and `retryable` decide. A call that awaits approval was answered, not refused: it is nothing
 * to classify. The outermost face counts: what a concealed error wraps is nobody's business.
 */
export const orpcAgent: AdapterProducer = adapter({
  id: 'orpc-agent',
  codes: CODES,
  hints: {},
  states: { find: (layers) => firstStatement(layers, read), overHttp: true },
  stream: {
    failureOf: (value) => {
      const item = payloadOf(value)
      if (!isItem(item)) return undefined
      const envelope = item['isError'] === true ? (textOf(item) ?? item) : item
      const { error } = envelope
      if (!FAILED.includes(String(envelope['status'])) || !isItem(error)) return undefined
      return typeof error['code'] === 'string' && error['code'] !== 'APPROVAL_REQUIRED' ? envelope : undefined
    },
  },
})

function read(layer: object): Statement | undefined {
  if (field(layer, 'status') === 'approval-required') return { rule: 'awaits_approval', class: undefined }
  if (field(layer, 'content') !== undefined && isItem(layer)) {
    const envelope = textOf(layer)
    return envelope === undefined ? undefined : (read(envelope) ?? ofError(envelope['error']))
  }
  return ofError(layer)
}

function ofError(error: unknown): Statement | undefined {
  if (!isItem(error)) return undefined
  const [code, retryable] = [field(error, 'code'), field(error, 'retryable')]
  if (typeof code !== 'string') return undefined
  if (code === 'APPROVAL_REQUIRED') return { rule: 'awaits_approval', class: undefined, code }
  // Codes are in capitals; the table is not, as all tables are.
  const known = code === code.toUpperCase() ? CODES.get(code.toLowerCase()) : undefined
  if (known === undefined && typeof retryable !== 'boolean') return undefined
  const ambiguous = MAYBE_RAN.includes(code)
  if (known?.class === 'auth_required') return { rule: 'credential', class: 'auth_required', code }
  return retryable === true
    ? { rule: 'retryable', class: 'transient', ambiguous, code }
    : { rule: 'not_retryable', class: 'permanent', ambiguous, code }
}

/** The envelope that an MCP result holds as its text. */
function textOf(result: Item): Item | undefined {
  const text = itemsIn(result, 'content')[0]?.['text']
  const parsed = typeof text === 'string' ? readJson(text) : undefined
  return isItem(parsed) && parsed['status'] !== undefined ? parsed : undefined
}
