import { firstStatement, SPELLINGS, type Statement, statedSecs } from './kit/statement.ts'
import { isItem, payloadOf } from './kit/stream-shape.ts'
import { type AdapterProducer, adapter, codeTable, type ErrorClass, field } from './producer.ts'

/** Refusals whose class their code fixes, whether or not it is served beside it. */
const FIXED = codeTable({
  permanent: `variant_unsupported wal_newer_writer agent_run_scopes_unsupported flow_scope_required sender_not_owner
    scoped_tools_require_plan history_unreachable`,
  transient: 'account_limit_exhausted routing_unavailable',
})

/** These state a class in the body or have none: no other field says what they are. */
const UNFIXED = ['open_failed', 'provider_error', 'account_selection_refused']

/** The spellings of a class, with the one that only durable records hold, whose shared class is `transient`. */
const CLASSES: ReadonlyMap<string, ErrorClass> = new Map([...SPELLINGS, ['provider_unavailable', 'transient']])

/**
 * broca: the class stands at the top level, else in `detail`, else the code fixes it; `status`, `provider_code` and the
 * message only look as if they said more. What has none of these stays unclassified, and an unknown class is left to
 * the wire. The one hint is `retry_after_secs`: `retry_after_s`, `resets_at_ms` and `reset_at` never become a wait. A
 * run that is paused for a login is no error to resend: it goes on by itself once somebody logs in.
 */
export const broca: AdapterProducer = adapter({
  id: 'broca',
  codes: FIXED,
  hints: {},
  states: { find: (layers) => firstStatement(layers, read) },
  stream: {
    failureOf: (value) => {
      const item = payloadOf(value)
      return isItem(item) && isFailure(item) ? item : undefined
    },
    isContent: (value) => {
      const item = payloadOf(value)
      return isItem(item) && isItem(item['cursor']) ? item['kind'] !== 'control' : undefined
    },
  },
})

/** Control units of a subscription hold their error; everything else states it itself. */
function read(layer: object): Statement | undefined {
  const unit = field(layer, 'unit')
  if (isItem(unit)) return read(isItem(unit['error']) ? unit['error'] : unit)
  if (isPaused(layer)) return { rule: 'paused_run', class: 'auth_required', ambiguous: true }
  const detail = field(layer, 'detail')
  const code = field(layer, 'code')
  const named = typeof code === 'string' ? code : undefined
  return (
    ofClass('class', layer, named) ??
    (isItem(detail) ? ofClass('detail_class', detail, named) : undefined) ??
    (named === undefined ? undefined : ofCode(named))
  )
}

function ofClass(rule: string, fields: object, code: string | undefined): Statement | undefined {
  const stated = field(fields, 'class')
  if (typeof stated !== 'string') return undefined
  const known = CLASSES.get(stated)
  return {
    rule: known === undefined ? 'unknown_class' : rule,
    class: known,
    ...statedSecs(fields),
    ...(code === undefined ? undefined : { code }),
  }
}

function ofCode(code: string): Statement | undefined {
  const fixed = FIXED.get(code)
  if (fixed !== undefined) return { rule: `code.${code}`, class: fixed.class, code }
  return UNFIXED.includes(code) ? { rule: 'no_class', class: undefined, code } : undefined
}

function isPaused(layer: object): boolean {
  const reason = field(layer, 'reason')
  if (reason !== 'auth_required' && reason !== 'auth') return false
  return field(layer, 'state') === 'paused' || field(layer, 'type') === 'run_paused'
}

/** An error frame, a control unit, the result of a run, or a reply with an error in its result. */
function isFailure(item: object): boolean {
  const [unit, result, error] = [field(item, 'unit'), field(item, 'result'), field(item, 'error')]
  if (isItem(unit)) return isPaused(unit) || isItem(unit['error']) || unit['reason'] === 'error'
  if (isPaused(item) || field(item, 'state') === 'error') return true
  if (isItem(error) && (typeof error['class'] === 'string' || field(item, 'type') === 'error')) return true
  if (isItem(result) && isItem(result['error']) && typeof result['error']['class'] === 'string') return true
  return typeof field(item, 'code') === 'string' && typeof field(item, 'message') === 'string' && isOwn(item)
}

const isOwn = (item: object): boolean => read(item) !== undefined
