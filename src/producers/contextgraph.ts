import { firstStatement, type Statement } from './kit/statement.ts'
import { isItem, payloadOf } from './kit/stream-shape.ts'
import { type AdapterProducer, adapter, codeTable, field } from './producer.ts'

/** What the specification advises a host to do about each code (its `HostReaction`). */
const REACTIONS: ReadonlyMap<string, string> = new Map([
  ['bad_request', 'do_not_retry'],
  ['unsupported_kind', 'narrow_or_skip'],
  ['unsupported_representation', 'narrow_or_skip'],
  ['incompatible_version', 'drop_provider'],
  ['budget_unsatisfiable', 'raise_budget_or_skip'],
  ['unavailable', 'retry_with_backoff'],
  ['shutting_down', 'respawn'],
  ['internal', 'report_and_count'],
])

const CODES = codeTable({
  transient: 'unavailable shutting_down',
  permanent: `bad_request unsupported_kind unsupported_representation incompatible_version budget_unsatisfiable
    internal`,
})

/**
 * contextgraph: `{ type: 'error', code?, message }`, a line of NDJSON or a body. The vocabulary of codes is open: an
 * unknown code, and none, react as `internal`, which is never retried; the code stays verbatim in `detail`, beside the
 * reaction that the specification advises. A version that does not fit rules out the whole provider; what asks for a
 * narrower request, another representation or a larger budget is `permanent` for this candidate. A provider that shuts
 * down is `transient`: the caller's own function starts it again.
 */
export const contextgraph: AdapterProducer = adapter({
  id: 'contextgraph',
  codes: CODES,
  hints: {},
  states: {
    find: (layers) => firstStatement(layers, ofError) ?? firstStatement(layers, ofKnown),
    overHttp: true,
  },
  stream: {
    failureOf: (value) => {
      const item = payloadOf(value)
      return isItem(item) && item['type'] === 'error' ? item : undefined
    },
  },
})

function ofError(layer: object): Statement | undefined {
  if (field(layer, 'type') !== 'error') return undefined
  const code = field(layer, 'code')
  if (typeof code !== 'string') return { rule: 'no_code', class: 'permanent', reaction: 'report_and_count' }
  return ofCode(code) ?? { rule: 'unknown_code', class: 'permanent', code, reaction: 'report_and_count' }
}

/** A host's own error that carries the code; an unknown one there may be anybody's. */
function ofKnown(layer: object): Statement | undefined {
  const code = field(layer, 'code')
  return typeof code === 'string' ? ofCode(code) : undefined
}

function ofCode(code: string): Statement | undefined {
  const known = CODES.get(code)
  const reaction = REACTIONS.get(code)
  if (known === undefined || reaction === undefined) return undefined
  return {
    rule: `code.${code}`,
    class: known.class,
    code,
    reaction,
    ...(code === 'incompatible_version' ? { scope: 'provider' as const } : undefined),
  }
}
