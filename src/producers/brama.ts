import { chatStream } from './dialects/chat-stream.ts'
import { messagesStream } from './dialects/messages.ts'
import { responsesStream } from './dialects/responses.ts'
import { firstStatement, type Statement } from './kit/statement.ts'
import { anyShape } from './kit/stream-shape.ts'
import { type AdapterProducer, adapter, codeTable, field } from './producer.ts'

/** The codes of its "Failure contract", by what they mean where `retryable` is not stated. */
const CODES = codeTable({
  transient: 'provider_rate_limited subscription_unavailable dependency_unavailable dependency_timeout',
  permanent: `invalid_request forbidden subscription_not_found state_conflict secure_transport_required
    provider_failure provider_quota_exhausted internal_error alias_unserviceable`,
  auth_required: 'unauthenticated credential_unauthorized subscription_reauthorization_required',
})

/** A provider was asked, or may have been, and may bill for it: replay only what is stated to be retryable. */
const BILLABLE = ['provider_failure', 'internal_error']

/**
 * Brama: `{ error: { code, retryable, attempts } }`. A code that asks for a person is `auth_required`, what is
 * `retryable` is `transient`, everything else `permanent`. The status says nothing, as a 503 is sent for both kinds;
 * nor does `attempts`, which is absent or 0 alike where no provider was asked. Streams are those of the dialect that
 * was called; a failure inside one has neither code nor `retryable`, and so no class.
 */
export const brama: AdapterProducer = adapter({
  id: 'brama',
  codes: CODES,
  hints: {},
  states: {
    find: (layers) => firstStatement(layers, ofEnvelope) ?? firstStatement(layers, ofCode),
    overHttp: true,
  },
  stream: anyShape([responsesStream, messagesStream, chatStream]),
})

function ofEnvelope(layer: object): Statement | undefined {
  const [code, retryable] = [field(layer, 'code'), field(layer, 'retryable')]
  if (typeof code !== 'string' || typeof retryable !== 'boolean') return undefined
  if (CODES.get(code)?.class === 'auth_required') return { rule: `code.${code}`, class: 'auth_required', code }
  return retryable
    ? { rule: 'retryable', class: 'transient', code }
    : { rule: 'not_retryable', class: 'permanent', ambiguous: BILLABLE.includes(code), code }
}

/** SDKs copy the code to their own error, and some keep nothing else. */
function ofCode(layer: object): Statement | undefined {
  const code = field(layer, 'code')
  const known = typeof code === 'string' ? CODES.get(code) : undefined
  if (typeof code !== 'string' || known === undefined) return undefined
  return { rule: `code.${code}`, class: known.class, ambiguous: BILLABLE.includes(code), code }
}
