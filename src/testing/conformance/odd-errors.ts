/** What code really throws and what it should not: an error a strategy looks at may be any of these. Fresh each time. */
export function oddErrors(): readonly (readonly [label: string, error: unknown])[] {
  const cyclic: Record<string, unknown> = { message: 'cyclic' }
  cyclic['cause'] = cyclic
  const revoked = Proxy.revocable({}, {})
  revoked.revoke()
  return [
    ['an Error', new Error('boom')],
    ['a frozen Error', Object.freeze(new TypeError('fetch failed'))],
    ['undefined', undefined],
    ['null', null],
    ['a number', 503],
    ['an empty string', ''],
    ['a symbol', Symbol('boom')],
    ['an object without a prototype', Object.create(null)],
    ['a function', () => 'boom'],
    ['a cyclic object', cyclic],
    ['an object with throwing getters', withThrowingGetters()],
    ['a proxy that throws', new Proxy({}, { get: hostile, has: hostile, ownKeys: hostile, getPrototypeOf: hostile })],
    ['a revoked proxy', revoked.proxy],
  ]
}

function hostile(): never {
  throw new Error('a trap threw')
}

function withThrowingGetters(): object {
  const names = ['name', 'message', 'code', 'status', 'cause', 'class', 'error', 'detail', 'toString']
  return Object.defineProperties(
    {},
    Object.fromEntries(names.map((name) => [name, { get: hostile, enumerable: true }])),
  )
}
