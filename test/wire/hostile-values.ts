import { runInNewContext } from 'node:vm'

/** A value that something threw, and what must be read from it. */
export interface ReadingCase {
  readonly name: string
  readonly value: () => unknown
  readonly expected: { readonly class: string | undefined; readonly retryAfterSecs?: number; readonly exhausted?: true }
}

const throwing = (): never => {
  throw new Error('a getter that throws')
}

const getters = (...names: readonly string[]): object =>
  Object.defineProperties({}, Object.fromEntries(names.map((name) => [name, { get: throwing, enumerable: true }])))

const trap = (target: object, handler: ProxyHandler<object>): object => new Proxy(target, handler)

/** The value at the end of a `cause` chain of that many links. */
const buried = (depth: number, value: unknown): unknown =>
  depth === 0 ? value : new Error(`link ${depth}`, { cause: buried(depth - 1, value) })

const cyclic = (fields: object): unknown => {
  const error = Object.assign(new Error('its own cause'), fields)
  error.cause = error
  return error
}

const cycleOfTwo = (): unknown => {
  const one = new Error('one')
  one.cause = new Error('two', { cause: one })
  return one
}

const T = { class: 'transient' }
const P = { class: 'permanent' }

const row = (name: string, value: () => unknown, expected: ReadingCase['expected']): ReadingCase => ({
  name,
  value,
  expected,
})

const places: readonly ReadingCase[] = [
  row('on the value', () => T, { class: 'transient' }),
  row('on an Error', () => Object.assign(new Error('x'), T), { class: 'transient' }),
  row('in detail', () => ({ detail: T }), { class: 'transient' }),
  row('in error', () => ({ error: T }), { class: 'transient' }),
  row('in error.detail', () => ({ error: { detail: T } }), { class: 'transient' }),
  row('in result.error', () => ({ result: { error: T } }), { class: 'transient' }),
  row('in result.error.detail', () => ({ result: { error: { detail: T } } }), { class: 'transient' }),
  row('in cause', () => new Error('x', { cause: T }), { class: 'transient' }),
  row('in cause.detail', () => ({ cause: { detail: T } }), { class: 'transient' }),
  row('in cause.error', () => ({ cause: { error: T } }), { class: 'transient' }),
  row('in cause.result.error.detail', () => ({ cause: { result: { error: { detail: T } } } }), { class: 'transient' }),
  row('not in result', () => ({ result: T }), { class: undefined }),
  row('not in data', () => ({ data: T }), { class: undefined }),
  row('not in body', () => ({ body: { error: T } }), { class: undefined }),
  row('not in response', () => ({ response: T }), { class: undefined }),
  row('not in error.error', () => ({ error: { error: T } }), { class: undefined }),
  row('not in detail.detail', () => ({ detail: { detail: T } }), { class: undefined }),
  row('not in errors', () => new AggregateError([T], 'x'), { class: undefined }),
  row('not under another name', () => ({ errorClass: 'transient', kind: 'transient', type: 'transient' }), {
    class: undefined,
  }),
  row('not from status, code or message', () => ({ status: 429, code: 'rate_limited', message: 'transient' }), {
    class: undefined,
  }),
]

const precedence: readonly ReadingCase[] = [
  row('own before detail', () => ({ ...T, detail: P }), { class: 'transient' }),
  row('own before error', () => ({ ...T, error: P }), { class: 'transient' }),
  row('own before cause', () => Object.assign(new Error('x', { cause: P }), T), { class: 'transient' }),
  row('detail before error', () => ({ detail: T, error: P }), { class: 'transient' }),
  row('error before result.error', () => ({ error: T, result: { error: P } }), { class: 'transient' }),
  row('result.error before cause', () => ({ result: { error: T }, cause: P }), { class: 'transient' }),
  row('error before cause', () => ({ error: T, cause: P }), { class: 'transient' }),
  row('the nearest cause first', () => buried(1, Object.assign(new Error('x', { cause: P }), T)), {
    class: 'transient',
  }),
  row('an own class that is no string gives way to detail', () => ({ class: 7, detail: T }), { class: 'transient' }),
  row('an own class of null gives way to error', () => ({ class: null, error: T }), { class: 'transient' }),
  row('an unknown string is a class and gives way to nothing', () => ({ class: 'quota', error: T }), {
    class: 'quota',
  }),
  row('the hint beside the class', () => ({ ...T, retry_after_secs: 3, detail: { retry_after_secs: 9 } }), {
    class: 'transient',
    retryAfterSecs: 3,
  }),
  row('the hint beside the class in detail', () => ({ retry_after_secs: 9, detail: { ...T, retry_after_secs: 3 } }), {
    class: 'transient',
    retryAfterSecs: 3,
  }),
  row('no hint from elsewhere', () => ({ retry_after_secs: 9, error: T }), { class: 'transient' }),
  row('no hint without a class', () => ({ retry_after_secs: 9 }), { class: undefined }),
  row('exhausted beside the class', () => ({ ...T, exhausted: true }), { class: 'transient', exhausted: true }),
  row('exhausted that is not true', () => ({ ...T, exhausted: 'yes' }), { class: 'transient' }),
  row('other spellings are no hints', () => ({ ...T, retry_after_s: 9, resets_at_ms: 9, retryAfterSecs: 9 }), {
    class: 'transient',
  }),
  row('ambiguous and scope are never read from the wire', () => ({ ...P, ambiguous: true, scope: 'provider' }), {
    class: 'permanent',
  }),
]

const spellings: readonly ReadingCase[] = [
  row('permanent', () => P, { class: 'permanent' }),
  row('auth_required', () => ({ class: 'auth_required' }), { class: 'auth_required' }),
  row('auth, from before the rename', () => ({ class: 'auth' }), { class: 'auth_required' }),
  row('auth in error.detail', () => ({ error: { detail: { class: 'auth' } } }), { class: 'auth_required' }),
  row('context_overflow', () => ({ class: 'context_overflow' }), { class: 'context_overflow' }),
  row('another case', () => ({ class: 'Transient' }), { class: 'Transient' }),
  row('spaces around', () => ({ class: ' transient ' }), { class: ' transient ' }),
  row('an empty string', () => ({ class: '' }), { class: '' }),
  row('__proto__', () => ({ class: '__proto__' }), { class: '__proto__' }),
  row('a String object is no string', () => ({ class: new String('transient') }), { class: undefined }),
  row('a list', () => ({ class: ['transient'] }), { class: undefined }),
  row('a boolean', () => ({ class: true }), { class: undefined }),
]

const strangers: readonly ReadingCase[] = [
  row('undefined', () => undefined, { class: undefined }),
  row('null', () => null, { class: undefined }),
  row('a string', () => 'transient', { class: undefined }),
  row('a number', () => 429, { class: undefined }),
  row('NaN', () => Number.NaN, { class: undefined }),
  row('a BigInt', () => 10n, { class: undefined }),
  row('a symbol', () => Symbol('transient'), { class: undefined }),
  row('a boolean thrown', () => false, { class: undefined }),
  row('an empty object', () => ({}), { class: undefined }),
  row('a function with fields', () => Object.assign(() => undefined, T), { class: 'transient' }),
  row('a class constructor', () => class Transient {}, { class: undefined }),
  row('an array with fields', () => Object.assign([], T), { class: 'transient' }),
  row('a null-prototype object', () => Object.assign(Object.create(null), T, { retry_after_secs: 2 }), {
    class: 'transient',
    retryAfterSecs: 2,
  }),
  row('a frozen error', () => Object.freeze(Object.assign(new Error('x'), T)), { class: 'transient' }),
  row('a frozen tree', () => Object.freeze({ error: Object.freeze({ detail: Object.freeze(T) }) }), {
    class: 'transient',
  }),
  row('a class on the prototype', () => Object.create(T), { class: 'transient' }),
  row(
    'a getter on the prototype',
    () =>
      new (class extends Error {
        get class(): string {
          return 'permanent'
        }
      })('x'),
    { class: 'permanent' },
  ),
  row('an error of another realm', () => runInNewContext(`Object.assign(new Error('x'), { class: 'transient' })`), {
    class: 'transient',
  }),
  row('a DOMException', () => new DOMException('x', 'AbortError'), { class: undefined }),
  row('a Date', () => new Date(), { class: undefined }),
  row('a Map', () => new Map([['class', 'transient']]), { class: undefined }),
  row('a promise', () => Promise.resolve(T), { class: undefined }),
]

const traps: readonly ReadingCase[] = [
  row('a class getter that throws', () => getters('class'), { class: undefined }),
  row('every getter throws', () => getters('class', 'detail', 'error', 'result', 'cause'), { class: undefined }),
  row('a class getter that throws, a class in detail', () => Object.assign(getters('class'), { detail: T }), {
    class: 'transient',
  }),
  row('a detail getter that throws, a class in error', () => Object.assign(getters('detail'), { error: T }), {
    class: 'transient',
  }),
  row('a cause getter that throws', () => getters('cause'), { class: undefined }),
  row('a hint getter that throws', () => Object.assign(getters('retry_after_secs'), T), { class: 'transient' }),
  row('an exhausted getter that throws', () => Object.assign(getters('exhausted'), T), { class: 'transient' }),
  row('a proxy that throws for everything', () => trap({}, { get: throwing, has: throwing, ownKeys: throwing }), {
    class: undefined,
  }),
  row('a proxy whose descriptor trap throws', () => trap({ ...T }, { getOwnPropertyDescriptor: throwing }), {
    class: 'transient',
  }),
  row(
    'a revoked proxy',
    () => {
      const { proxy, revoke } = Proxy.revocable({}, {})
      revoke()
      return proxy
    },
    { class: undefined },
  ),
  row(
    'a revoked proxy as cause',
    () => {
      const { proxy, revoke } = Proxy.revocable({}, {})
      revoke()
      return new Error('x', { cause: proxy })
    },
    { class: undefined },
  ),
  row(
    'a proxy that answers itself for everything',
    () => {
      const self: object = new Proxy({}, { get: () => self })
      return self
    },
    { class: undefined },
  ),
  row(
    'a proxy that makes a new proxy for every cause',
    () => {
      const endless = (): object => new Proxy({}, { get: (_, name) => (name === 'cause' ? endless() : undefined) })
      return endless()
    },
    { class: undefined },
  ),
  row('its own cause', () => cyclic({}), { class: undefined }),
  row('its own cause, classed', () => cyclic(T), { class: 'transient' }),
  row('two causes of each other', cycleOfTwo, { class: undefined }),
  row(
    'its own error and result',
    () => {
      const value: Record<string, unknown> = {}
      value['error'] = value
      value['result'] = value
      return value
    },
    { class: undefined },
  ),
  row('ten causes deep', () => buried(10, T), { class: 'transient' }),
  row('ten causes deep in error.detail', () => buried(10, { error: { detail: { ...T, retry_after_secs: 5 } } }), {
    class: 'transient',
    retryAfterSecs: 5,
  }),
  row(
    'a hundred thousand causes deep',
    () => {
      let value: unknown = T
      for (let depth = 0; depth < 100_000; depth += 1) value = { cause: value }
      return value
    },
    { class: undefined },
  ),
  row(
    'two hundred thousand fields',
    () => {
      const value: Record<string, unknown> = { ...T }
      for (let index = 0; index < 200_000; index += 1) value[`field${index}`] = index
      return value
    },
    { class: 'transient' },
  ),
  row('a message of ten million characters', () => Object.assign(new Error('x'.repeat(10_000_000)), T), {
    class: 'transient',
  }),
  row('a cause that is a string', () => new Error('x', { cause: 'transient' }), { class: undefined }),
  row('a cause that is a function', () => new Error('x', { cause: Object.assign(() => undefined, T) }), {
    class: 'transient',
  }),
]

/** Everything that may be thrown, and what is read from it. */
export const READING_CASES: readonly ReadingCase[] = [...places, ...precedence, ...spellings, ...strangers, ...traps]
