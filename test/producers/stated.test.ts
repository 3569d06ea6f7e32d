import { heed } from 'heed'
import { describe, expect, test } from 'vitest'
import { ERROR_CLASS_WIRE_SET } from '../../src/core/classification.ts'
import { producers } from '../../src/producers/index.ts'
import { bodies, ended, env, type Stated, verdict, wanted, wantedOfAdapter } from './stated.ts'

const each = bodies.map((stated) => [stated.id, stated] as const)
const ofId = (id: string): Stated => bodies.find((stated) => stated.id === id) as Stated

test('there are 91 bodies', () => expect(bodies.length).toBe(91))

describe('each body ends as it must', () => {
  test.each(each)('%s', (_id, stated) => {
    expect(ended(stated, stated.body)).toEqual(wanted(stated))
  })

  test.each(each)('%s, by its adapter alone', (_id, stated) => {
    expect(verdict(producers[stated.producer].classify(stated.body, env))).toEqual(wantedOfAdapter(stated))
  })
})

/** Each changes how a failure arrives, never what it says. */
const arrivals: Readonly<Record<string, (stated: Stated) => unknown>> = {
  'with a status and headers': ({ status = 500, body }) => ({ status, headers: { date: 'x' }, body }),
  'as a text': ({ status = 500, body }) => ({ status, body: JSON.stringify(body) }),
  'in an error': ({ body }) => Object.assign(new Error('The request failed'), { body }),
  'two causes deep': ({ body }) =>
    new Error('The call failed', {
      cause: new Error('The step failed', { cause: Object.assign(new Error('x'), { body }) }),
    }),
}

describe('however it arrives', () => {
  // A source that states nothing of a body leaves what stands around it, so these are about what it states.
  const stating = bodies.filter(({ producer, expected }) => !producer.startsWith('openai') && expected.class !== null)

  test.each(Object.entries(arrivals))('%s', (_name, arrive) => {
    const changed = stating.flatMap((stated) => {
      const found = verdict(producers[stated.producer].classify(arrive(stated), env))
      return JSON.stringify(found) === JSON.stringify(wantedOfAdapter(stated)) ? [] : [{ id: stated.id, found }]
    })
    expect(changed).toEqual([])
  })

  test('other words change nothing', () => {
    const said = 'Rate limit reached, please try again in 17s. 401 Unauthorized. read ECONNRESET. Prompt is too long.'
    const resaid = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value, (key, inner) => (/message/i.test(key) ? said : inner)))
    const changed = bodies.filter(
      (stated) =>
        !stated.producer.startsWith('openai') &&
        JSON.stringify(verdict(producers[stated.producer].classify(resaid(stated.body), env))) !==
          JSON.stringify(wantedOfAdapter(stated)),
    )
    expect(changed.map(({ id }) => id)).toEqual([])
  })
})

test('exactly these may have been executed', () => {
  const ambiguous = bodies.filter((stated) => producers[stated.producer].classify(stated.body, env)?.ambiguous === true)
  expect(ambiguous.map(({ id }) => id)).toEqual([
    'broca.run_result_paused_auth',
    'brama.provider_failure',
    'brama.internal_error',
    'orpc.ai_sdk.timeout',
    'orpc.ai_sdk.cancelled',
    'orpc.ai_sdk.approval_pending',
    'orpc.ai_sdk.concealed',
    'orpc.concealed_without_retryable',
    'orpc.direct.timeout_cancelled',
  ])
})

describe('answered, as a value or an item of a stream', () => {
  test.each([
    'broca.control_unit_error',
    'broca.run_finished_error',
    'broca.run_result_error',
    'broca.run_result_paused_auth',
    'broca.provider_error_body',
    'broca.account_limit_exhausted.untimed',
    'broca.wal_newer_writer',
    'vault.needs_reauth',
    'brama.provider_failure',
    'brama.alias_unserviceable',
    'orpc.ai_sdk.timeout',
    'orpc.direct.timeout_cancelled',
    'orpc.mcp.error',
    'contextgraph.shutting_down',
    'contextgraph.vendor_code',
  ])('%s is a failure', (id) => {
    const stated = ofId(id)
    expect(verdict(producers[stated.producer].inspect(stated.body, env))).toEqual(stated.expected)
    expect(verdict(producers[stated.producer].inspect(JSON.stringify(stated.body), env))).toEqual(stated.expected)
  })

  test.each(['broca.open_failed.classless', 'broca.unknown_class', 'brama.stream.responses_failed'])(
    '%s is a failure that the adapter gives no class',
    (id) => {
      const { producer, body } = ofId(id)
      expect(producers[producer].inspect(body, env)).toMatchObject({ class: undefined })
    },
  )

  test.each(['orpc.ai_sdk.approval_required', 'orpc.mcp.approval_required', 'subc.error_body'])('%s is none', (id) => {
    const { producer, body } = ofId(id)
    expect(producers[producer].inspect(body, env)).toBeUndefined()
  })

  test.each([
    ['broca', { run_id: 'run-1', state: 'done', final: { text: 'class' } }],
    ['broca', { run_id: 'run-1', state: 'paused', reason: 'approval' }],
    ['broca', { kind: 'control', cursor: { wal_seq: 1 }, unit: { type: 'run_finished', reason: 'stop' } }],
    ['orpc-agent', { status: 'ok', data: { code: 'TIMEOUT', retryable: true } }],
    ['orpc-agent', { status: 'completed', output: { error: { code: 'TIMEOUT' } } }],
    ['orpc-agent', { status: 'failed', error: { code: 'APPROVAL_REQUIRED', retryable: false } }],
    ['orpc-agent', { content: [{ type: 'text', text: 'No such file' }], isError: true }],
    ['contextgraph', { type: 'frames', id: 'q1', frames: [{ code: 'internal' }] }],
    ['brama', { choices: [{ message: { content: 'provider_failure' }, finish_reason: 'stop' }] }],
  ] as const)('%s answers %j', (id, value) => {
    expect(producers[id].inspect(value, env)).toBeUndefined()
  })

  test('units of a subscription: control is no content', () => {
    const { isContent } = producers.broca
    expect(isContent?.({ kind: 'control', cursor: { wal_seq: 1 }, unit: { type: 'run_started' } })).toBe(false)
    expect(isContent?.({ kind: 'delta', cursor: { wal_seq: 2 }, unit: { text: 'Hi' } })).toBe(true)
    expect(isContent?.('Hi')).toBeUndefined()
  })
})

describe('broca', () => {
  const { classify } = producers.broca

  test.each([
    [
      'a class beats the code that would fix it',
      { code: 'variant_unsupported', class: 'transient', message: '' },
      'transient',
    ],
    ['the top beats the detail', { class: 'permanent', detail: { class: 'transient' } }, 'permanent'],
    ['the spelling from before the rename, in detail', { detail: { class: 'auth' } }, 'auth_required'],
    ['what only durable records hold', { error: { class: 'provider_unavailable' } }, 'transient'],
    ['an unknown class beside a code that fixes one', { code: 'sender_not_owner', class: 'a_fifth_class' }, undefined],
    [
      'a status and a provider code alone',
      { code: 'provider_error', status: 429, provider_code: 'rate_limit' },
      undefined,
    ],
  ])('%s', (_name, body, expected) => {
    expect(classify(body, env)?.class).toBe(expected)
  })

  test('no other time becomes a wait', () => {
    const times = { retry_after_s: 12.2, resets_at_ms: 1_790_000_060_000, reset_at: '2027-01-01T00:00:00Z' }
    const detail = {
      class: 'transient',
      ...times,
      retry_after_ms: 1,
      routing_detail: { retry_after_secs: 9, ...times },
    }
    const body = { code: 'account_limit_exhausted', message: 'try again in 5s', detail }
    expect(verdict(classify(body, env))).toEqual({ class: 'transient' })
    expect(verdict(classify({ headers: { 'retry-after': '7' }, body }, env))).toEqual({ class: 'transient' })
  })

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, '5', null])('a wait of %s is none', (retry_after_secs) => {
    expect(verdict(classify({ class: 'transient', retry_after_secs }, env))).toEqual({ class: 'transient' })
  })
})

describe('brama', () => {
  const { classify } = producers.brama
  const failure = (more: object): unknown => ({ error: { message: '', type: 'x', code: 'unheard_of', ...more } })

  test.each([0, 1, 2, undefined])('%s attempts say nothing', (attempts) => {
    const found = verdict(classify(failure({ code: 'subscription_unavailable', retryable: true, attempts }), env))
    expect(found).toEqual({ class: 'transient' })
  })

  test('`retryable` decides of a code that is not known, and never makes it ambiguous', () => {
    expect(verdict(classify(failure({ retryable: true }), env))).toEqual({ class: 'transient' })
    expect(verdict(classify(failure({ retryable: false }), env))).toEqual({ class: 'permanent' })
    expect(verdict(classify(failure({ code: 'provider_failure', retryable: true }), env))).toEqual({
      class: 'transient',
    })
  })

  test('both kinds of 503', () => {
    const sent = (retryable: boolean): unknown => ({ status: 503, body: failure({ retryable }) })
    expect([true, false].map((each) => classify(sent(each), env)?.class)).toEqual(['transient', 'permanent'])
  })

  test("an SDK's error, which copies the code outside", () => {
    const error = { message: '', type: 'x', code: 'provider_failure', retryable: true, attempts: 1 }
    const thrown = Object.assign(new Error('502'), { status: 502, code: 'provider_failure', error })
    expect(verdict(classify(thrown, env))).toEqual({ class: 'transient' })
    expect(verdict(classify({ code: 'provider_failure' }, env))).toEqual({ class: 'permanent', ambiguous: true })
  })

  test('the wait of the answer that carries it', () => {
    const body = failure({ code: 'provider_rate_limited', retryable: true })
    const raw = { status: 429, headers: { 'Retry-After': '12' }, body }
    expect(verdict(classify(raw, env))).toEqual({ class: 'transient', retry_after_secs: 12 })
  })
})

describe('orpc-agent', () => {
  const { classify } = producers['orpc-agent']
  const thrown = (code: string, more: object = {}): Error =>
    Object.assign(new Error('private'), { name: 'CapabilityError', code, stage: 'execution', ...more })

  test.each([
    ['OUTPUT_INVALID', false, { class: 'permanent', ambiguous: true }],
    ['TIMEOUT', true, { class: 'transient', ambiguous: true }],
    ['A_CODE_OF_A_NEWER_RUNTIME', true, { class: 'transient' }],
    ['A_CODE_OF_A_NEWER_RUNTIME', false, { class: 'permanent' }],
    ['UNAUTHENTICATED', false, { class: 'auth_required' }],
    ['APPROVAL_REQUIRED', false, { class: null }],
  ])('a thrown %s, retryable: %s', (code, retryable, expected) => {
    expect(verdict(classify(thrown(code, { retryable }), env))).toEqual(expected)
  })

  test('an absent `retryable` reads as false', () => {
    expect(verdict(classify(thrown('POLICY_FAILED'), env))).toEqual({ class: 'permanent' })
    expect(verdict(classify(thrown('TIMEOUT'), env))).toEqual({ class: 'permanent', ambiguous: true })
  })

  test('what a concealed error wraps stays hidden', () => {
    const cause = Object.assign(new Error('x'), { code: 'UNAUTHENTICATED', status: 401, retryable: true })
    const concealed = Object.assign(thrown('INTERNAL_ERROR', { retryable: false }), { cause })
    expect(verdict(classify(concealed, env))).toEqual({ class: 'permanent', ambiguous: true })
  })
})

describe('contextgraph', () => {
  const detailOf = (id: string): unknown => producers.contextgraph.classify(ofId(id).body, env)?.detail

  test.each([
    ['bad_request', 'do_not_retry'],
    ['unsupported_kind', 'narrow_or_skip'],
    ['unsupported_representation', 'narrow_or_skip'],
    ['incompatible_version', 'drop_provider'],
    ['budget_unsatisfiable', 'raise_budget_or_skip'],
    ['unavailable', 'retry_with_backoff'],
    ['shutting_down', 'respawn'],
    ['internal', 'report_and_count'],
  ])('%s advises %s', (code, reaction) => {
    expect(detailOf(`contextgraph.${code}`)).toEqual({ rule: `contextgraph.code.${code}`, code, reaction })
  })

  test('an unknown code is kept verbatim and reacts as internal', () => {
    const rule = 'contextgraph.unknown_code'
    expect(detailOf('contextgraph.vendor_code')).toEqual({ rule, code: 'vendor:busy', reaction: 'report_and_count' })
  })
})

describe('where the source itself said nothing', () => {
  const network = (code: string): Error =>
    new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })

  test.each(['broca', 'brama', 'orpc-agent', 'contextgraph'] as const)('%s: the network', (id) => {
    expect(verdict(producers[id].classify(network('ECONNREFUSED'), env))).toEqual({ class: 'transient' })
    expect(verdict(producers[id].classify(network('ECONNRESET'), env))).toEqual({ class: null, ambiguous: true })
    expect(producers[id].classify(new DOMException('stop', 'AbortError'), env)).toBeUndefined()
    expect(producers[id].classify(new Error('socket hang up'), env)).toBeUndefined()
  })

  test.each(['brama', 'orpc-agent', 'contextgraph'] as const)('%s: a gateway', (id) => {
    const page = { status: 502, headers: { 'retry-after': '3' }, body: '<html>Bad Gateway</html>' }
    expect(verdict(producers[id].classify(page, env))).toEqual({ class: 'transient', retry_after_secs: 3 })
  })

  test('broca: a status is never its own', () => {
    expect(producers.broca.classify({ status: 429, body: { code: 'open_failed', message: '' } }, env)).toBeUndefined()
    expect(producers.broca.classify({ status: 503, body: '<html>' }, env)).toBeUndefined()
  })
})

test('no class outside the set is emitted', () => {
  for (const { producer, body } of bodies) {
    const stated = producers[producer].classify(body, env)?.class
    if (stated !== undefined) expect(ERROR_CLASS_WIRE_SET).toContain(stated)
  }
})

describe('through the middleware', () => {
  const candidates = [
    { id: 'a/one', provider: 'a' },
    { id: 'a/two', provider: 'a' },
    { id: 'b/one', provider: 'b' },
  ]
  /** Answers the bodies one after the other; says which candidates were asked, and how it ended. */
  const run = async (ids: readonly string[], idempotent = false): Promise<unknown> => {
    const asked: string[] = []
    const left = ids.map(ofId)
    const guard = heed({
      producer: producers[left[0]?.producer as Stated['producer']],
      candidates,
      auth: () => 'advance',
    })
    const outcome = await guard.settle(
      (attempt) => {
        asked.push(attempt.candidate.id)
        return left.shift()?.body
      },
      { idempotent },
    )
    return { asked, value: outcome.status === 'completed' ? outcome.value : outcome.status }
  }

  const bodyOf = (id: string): unknown => ofId(id).body
  const awaiting = 'orpc.ai_sdk.approval_required'

  test('a run that is paused for a login is not started a second time, anywhere: it is handed over', async () => {
    const ended = await run(['broca.run_result_paused_auth', 'broca.open_failed.classless'])
    expect(ended).toEqual({ asked: ['a/one'], value: bodyOf('broca.run_result_paused_auth') })
  })

  test.each([awaiting, 'orpc.mcp.approval_required'])('%s is an answer', async (id) => {
    expect(await run([id])).toEqual({ asked: ['a/one'], value: bodyOf(id) })
  })

  test('what may have been executed goes nowhere else unless it may be repeated', async () => {
    const concealed = 'orpc.ai_sdk.concealed'
    expect(await run([concealed, awaiting])).toEqual({ asked: ['a/one'], value: bodyOf(concealed) })
    expect(await run([concealed, awaiting], true)).toEqual({ asked: ['a/one', 'a/two'], value: bodyOf(awaiting) })
  })

  test.each([
    ['incompatible_version', 'rules out the provider', 'b/one'],
    ['unsupported_kind', 'rules out the candidate', 'a/two'],
  ])('%s %s', async (code, _what, next) => {
    const other = 'subc.error_body'
    expect(await run([`contextgraph.${code}`, other])).toEqual({ asked: ['a/one', next], value: bodyOf(other) })
  })
})
