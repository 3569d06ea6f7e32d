import { type Candidate, type HeedOptions, heed } from 'heed'
import { describe, expect, test } from 'vitest'

const A = { id: 'a', provider: 'p' }
const classify = (): undefined => undefined

/** What is wrong, the path that must be named, and a word of the fix that must be offered. */
type Row = readonly [name: string, options: unknown, path: string, fix: string | RegExp]

/** A word that only advice holds. */
const ADVICE = /give|see|list it once/

const withA = (more: object): unknown => ({ candidates: [A], ...more })
const candidate = (more: object): unknown => ({ candidates: [{ ...A, ...more }] })

const ms = (name: string): readonly Row[] => [
  [`${name} NaN`, withA({ [name]: Number.NaN }), name, /milliseconds/],
  [`${name} negative`, withA({ [name]: -1 }), name, /0 or more/],
  [`${name} -Infinity`, withA({ [name]: Number.NEGATIVE_INFINITY }), name, ADVICE],
  [`${name} a string`, withA({ [name]: '5s' }), name, /milliseconds/],
  [`${name} null`, withA({ [name]: null }), name, /milliseconds/],
  [`${name} a Date`, withA({ [name]: new Date() }), name, /milliseconds/],
  [`${name} a BigInt`, withA({ [name]: 5n }), name, /milliseconds/],
]

const limit = (name: string): readonly Row[] => [
  [`attempts.${name} 0`, withA({ attempts: { [name]: 0 } }), `attempts.${name}`, /1 or more/],
  [`attempts.${name} negative`, withA({ attempts: { [name]: -1 } }), `attempts.${name}`, /1 or more/],
  [`attempts.${name} NaN`, withA({ attempts: { [name]: Number.NaN } }), `attempts.${name}`, /whole number/],
  [`attempts.${name} a fraction`, withA({ attempts: { [name]: 1.5 } }), `attempts.${name}`, /whole number/],
  [`attempts.${name} a string`, withA({ attempts: { [name]: '3' } }), `attempts.${name}`, /whole number/],
]

const fn = (name: string): readonly Row[] => [
  [`${name} a string`, withA({ [name]: 'pause' }), name, /function/],
  [`${name} an object`, withA({ [name]: {} }), name, /function/],
  [`${name} null`, withA({ [name]: null }), name, /function/],
]

const ROWS: readonly Row[] = [
  ['no options', undefined, 'options', ADVICE],
  ['null', null, 'options', ADVICE],
  ['a number', 5, 'options', ADVICE],
  ['a list', [A], 'options', ADVICE],
  ['no candidates', {}, 'candidates', /list of candidates/],
  ['candidates null', { candidates: null }, 'candidates', /list of candidates/],
  ['candidates an object', { candidates: A }, 'candidates', /list of candidates/],
  ['candidates empty', { candidates: [] }, 'candidates', /at least one/],
  ['a candidate null', { candidates: [null] }, 'candidates[0]', ADVICE],
  ['a candidate a string', { candidates: [A, 'gpt'] }, 'candidates[1]', ADVICE],
  ['a candidate without id', { candidates: [{ provider: 'p' }] }, 'candidates[0].id', ADVICE],
  ['a candidate without provider', { candidates: [{ id: 'a' }] }, 'candidates[0].provider', ADVICE],
  ['an id with half a character', candidate({ id: 'a\ud83e' }), 'candidates[0].id', /whole characters/],
  ['an id that is empty', candidate({ id: '' }), 'candidates[0].id', /not empty/],
  ['an id that is a number', candidate({ id: 5 }), 'candidates[0].id', ADVICE],
  ['a provider that is empty', candidate({ provider: '' }), 'candidates[0].provider', /not empty/],
  ['an id twice', { candidates: [A, { id: 'b', provider: 'p' }, A] }, 'candidates[2].id', /candidates\[0\]/],
  ['an id that overflow strategies answer', candidate({ id: 'reduce' }), 'candidates[0].id', ADVICE],
  ['contextWindow 0', candidate({ contextWindow: 0 }), 'candidates[0].contextWindow', /more than 0/],
  ['contextWindow negative', candidate({ contextWindow: -5 }), 'candidates[0].contextWindow', /more than 0/],
  ['contextWindow NaN', candidate({ contextWindow: Number.NaN }), 'candidates[0].contextWindow', /tokens/],
  ['contextWindow a string', candidate({ contextWindow: '200k' }), 'candidates[0].contextWindow', /tokens/],
  ['credentials a string', candidate({ credentials: 'k' }), 'candidates[0].credentials', /list/],
  ['a credential without id', candidate({ credentials: [{ key: 'k' }] }), 'candidates[0].credentials[0]', /id/],
  ['a credential that is empty', candidate({ credentials: ['k', ''] }), 'candidates[0].credentials[1]', /id|name/],
  ['a credential null', candidate({ credentials: [null] }), 'candidates[0].credentials[0]', /id/],
  ['a credential twice', candidate({ credentials: ['k', { id: 'k' }] }), 'candidates[0].credentials[1]', /once/],
  ["a candidate's producer without classify", candidate({ producer: {} }), 'candidates[0].producer', /classify/],
  ["a candidate's producer a string", candidate({ producer: 'openai' }), 'candidates[0].producer', /classify/],
  ['producer without classify', withA({ producer: { inspect: classify } }), 'producer', /classify/],
  ['producer a function', withA({ producer: classify }), 'producer', /classify/],
  ['producer null', withA({ producer: null }), 'producer', /classify/],
  ...['backoff', 'auth', 'overflow', 'unknown', 'unclassified', 'random'].flatMap(fn),
  ['breaker a function', withA({ breaker: () => true }), 'breaker', ADVICE],
  ['breaker null', withA({ breaker: null }), 'breaker', ADVICE],
  ['breaker without counter', withA({ breaker: { coolMs: 1 } }), 'breaker.counter', /function/],
  ['breaker without coolMs', withA({ breaker: { counter: classify } }), 'breaker.coolMs', /milliseconds/],
  ['breaker.coolMs negative', withA({ breaker: { coolMs: -1, counter: classify } }), 'breaker.coolMs', /0 or more/],
  ['attempts a number', withA({ attempts: 3 }), 'attempts', ADVICE],
  ['attempts null', withA({ attempts: null }), 'attempts', ADVICE],
  ['attempts with an unknown name', withA({ attempts: { max: 3 } }), 'attempts.max', ADVICE],
  ...limit('perTarget'),
  ...limit('total'),
  ['attempts.reduce negative', withA({ attempts: { reduce: -1 } }), 'attempts.reduce', /0 or more/],
  ['attempts.reduce NaN', withA({ attempts: { reduce: Number.NaN } }), 'attempts.reduce', /whole number/],
  ['attempts.reduce a fraction', withA({ attempts: { reduce: 0.5 } }), 'attempts.reduce', /whole number/],
  ['retryAfter a string', withA({ retryAfter: 'cap' }), 'retryAfter', ADVICE],
  ['retryAfter with an unknown name', withA({ retryAfter: { cap: true } }), 'retryAfter.cap', ADVICE],
  ['retryAfter.onTooLong another word', withA({ retryAfter: { onTooLong: 'wait' } }), 'retryAfter.onTooLong', /'cap'/],
  ['retryAfter.clampDown a number', withA({ retryAfter: { clampDown: 1 } }), 'retryAfter.clampDown', /true or false/],
  ...['switchAfterMs', 'maxWaitMs', 'maxPauseMs', 'timeoutMs', 'attemptTimeoutMs', 'idleTimeoutMs'].flatMap(ms),
  ['idempotent a string', withA({ idempotent: 'yes' }), 'idempotent', /true or false/],
  ['idempotent null', withA({ idempotent: null }), 'idempotent', /true or false/],
  ['budget true', withA({ budget: true }), 'budget', /false/],
  ['budget a number', withA({ budget: 5 }), 'budget', /false/],
  ['budget null', withA({ budget: null }), 'budget', /false/],
  ['budget.cap negative', withA({ budget: { cap: -1 } }), 'budget', ADVICE],
  ['budget.start NaN', withA({ budget: { start: Number.NaN } }), 'budget', ADVICE],
  ['budget.deposit a string', withA({ budget: { deposit: '0.1' } }), 'budget', ADVICE],
  ['budget with an unknown name', withA({ budget: { size: 5 } }), 'budget', ADVICE],
  ['health an object of mine', withA({ health: {} }), 'health', /createHealth/],
  ['health a string', withA({ health: 'shared' }), 'health', /createHealth/],
  ['clock a number', withA({ clock: 5 }), 'clock', /now/],
  ['clock Date', withA({ clock: Date }), 'clock', ADVICE],
  ['clock without timers', withA({ clock: { now: classify, wallNow: classify } }), 'clock.setTimeout', /function/],
  ['an unknown name', withA({ retries: 3 }), 'retries', ADVICE],
  ['a misspelt name', withA({ timeoutMS: 3 }), 'timeoutMS', ADVICE],
]

const refusal = (options: unknown): Error => {
  try {
    heed(options as HeedOptions<Candidate>)
  } catch (error) {
    return error as Error
  }
  throw new Error('the options were accepted')
}

describe('options that cannot be used', () => {
  test.each(ROWS)('%s', (_name, options, path, fix) => {
    const error = refusal(options)
    expect(error).toBeInstanceOf(TypeError)
    expect(error.message).toMatch(/^heed: /)
    expect(error.message).toContain(path)
    expect(error.message).toMatch(fix)
    expect(error.message).not.toMatch(/undefined|\[object|Invalid input/)
  })

  test('all faults are told at once', () => {
    const { message } = refusal({ candidates: [{ id: '', provider: 'p' }], timeoutMs: -1, retries: 3 })
    expect(message).toContain('candidates[0].id')
    expect(message).toContain('timeoutMs')
    expect(message).toContain('retries')
  })

  test('no value is repeated: it may be a secret', () => {
    const { message } = refusal({ candidates: [{ ...A, credentials: [{ key: 'sk-123' }] }], timeoutMs: 'sk-456' })
    expect(message).not.toContain('sk-')
  })
})

describe('options that can', () => {
  test.each([
    ['nothing but candidates', {}],
    [
      '0 ms everywhere',
      {
        switchAfterMs: 0,
        maxWaitMs: 0,
        maxPauseMs: 0,
        timeoutMs: 0,
        attemptTimeoutMs: 0,
        idleTimeoutMs: 0,
      },
    ],
    [
      'Infinity everywhere',
      {
        switchAfterMs: Number.POSITIVE_INFINITY,
        maxWaitMs: Number.POSITIVE_INFINITY,
        maxPauseMs: Number.POSITIVE_INFINITY,
        timeoutMs: Number.POSITIVE_INFINITY,
        attemptTimeoutMs: Number.POSITIVE_INFINITY,
        idleTimeoutMs: Number.POSITIVE_INFINITY,
        attempts: { perTarget: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY },
      },
    ],
    ['fractions of milliseconds', { timeoutMs: 0.5, maxWaitMs: 0.25 }],
    ['no reductions', { attempts: { reduce: 0 } }],
    ['undefined, which is absent', { timeoutMs: undefined, attempts: undefined, producer: undefined }],
    ['no budget', { budget: false }],
    ['a budget of nothing', { budget: { cap: 0, start: 0, deposit: 0 } }],
  ])('%s', (_name, more) => {
    expect(() => heed({ candidates: [A], ...more } as HeedOptions<Candidate>)).not.toThrow()
  })

  test('an empty list of credentials is none', async () => {
    const value = await heed({ candidates: [{ ...A, credentials: [] }] }).execute(({ credential }) => credential)
    expect(value).toBeUndefined()
  })
})

describe('nothing is copied', () => {
  test('the candidate is the same object in the attempt and in who served', async () => {
    class Client {
      readonly #secret = 'own'
      readonly id = 'a'
      readonly provider = 'p'
      readonly credentials = [{ id: 'k', token: () => this.#secret }] as const
      ask(): string {
        return this.#secret
      }
    }
    const client = new Client()
    const guard = heed({ candidates: [client] })
    const outcome = await guard.settle(({ candidate, credential }) => {
      expect(candidate).toBe(client)
      expect(credential).toBe(client.credentials[0])
      return candidate.ask()
    })
    expect(outcome).toMatchObject({ status: 'completed', value: 'own' })
    expect(outcome.status === 'completed' && outcome.served.candidate).toBe(client)
    const stream = guard.stream(async function* () {
      yield 1
    })
    expect((await stream.opened).candidate).toBe(client)
    await stream.return()
  })

  test('frozen options and candidates are fine, and nothing is written to any', async () => {
    const options = Object.freeze({
      candidates: Object.freeze([Object.freeze({ ...A, credentials: Object.freeze(['k']) })]),
      attempts: Object.freeze({ perTarget: 2 }),
      retryAfter: Object.freeze({}),
      budget: Object.freeze({ cap: 1 }),
    })
    expect(await heed(options).execute(() => 'x')).toBe('x')
  })

  test('later changes of the options object change nothing', async () => {
    const candidates = [A]
    const options = { candidates, attempts: { perTarget: 1 }, random: () => 0, budget: false as const }
    const guard = heed(options)
    options.attempts.perTarget = 50
    candidates.push({ id: 'b', provider: 'q' })
    const outcome = await guard.settle(() => Promise.reject(Object.assign(new Error('x'), { class: 'transient' })))
    expect(outcome.attempts).toHaveLength(1)
  })

  test('the producer is called as a method of its own object', async () => {
    const producer = {
      calls: 0,
      classify(): undefined {
        this.calls += 1
        return undefined
      },
    }
    await heed({ candidates: [A], producer }).settle(() => Promise.reject(new Error('x')))
    expect(producer.calls).toBe(1)
  })
})

describe('0 and Infinity at work', () => {
  const transient = (retry_after_secs?: number) => () =>
    Promise.reject(Object.assign(new Error('x'), { class: 'transient', retry_after_secs }))

  test('maxWaitMs: 0 never waits', async () => {
    const guard = heed({ candidates: [A], maxWaitMs: 0, backoff: () => 1 })
    expect(await guard.settle(transient())).toMatchObject({ status: 'failed', error: { reason: 'wait_too_long' } })
  })

  test('a backoff of 0 ms needs no wait', async () => {
    const guard = heed({ candidates: [A], maxWaitMs: 0, backoff: () => 0 })
    const outcome = await guard.settle(transient())
    expect(outcome.attempts).toHaveLength(3)
  })

  test('attempts.total is raised to the length of the chain', async () => {
    const candidates = Array.from({ length: 12 }, (_, n) => ({ id: `c${n}`, provider: `p${n}` }))
    const guard = heed({ candidates, attempts: { total: 2 } })
    const outcome = await guard.settle(() => Promise.reject(Object.assign(new Error('x'), { class: 'permanent' })))
    expect(outcome.attempts).toHaveLength(12)
    expect(outcome).toMatchObject({ class: 'permanent' })
  })

  test('attempts.total bounds a call', async () => {
    const candidates = Array.from({ length: 4 }, (_, n) => ({ id: `c${n}`, provider: `p${n}` }))
    const guard = heed({ candidates, attempts: { perTarget: 3, total: 5 }, backoff: () => 0, budget: false })
    const outcome = await guard.settle(transient())
    expect(outcome.attempts).toHaveLength(5)
    expect(outcome).toMatchObject({ error: { reason: 'total_attempts' }, class: 'transient' })
  })

  test('Infinity attempts end with the budget', async () => {
    const guard = heed({
      candidates: [A],
      attempts: { perTarget: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY },
      backoff: () => 0,
      budget: { cap: 5, start: 5, deposit: 0 },
    })
    const outcome = await guard.settle(transient())
    expect(outcome.attempts).toHaveLength(6)
    expect(outcome).toMatchObject({ error: { reason: 'budget_spent' } })
  })
})
