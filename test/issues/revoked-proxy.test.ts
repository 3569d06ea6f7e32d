import { heed } from 'heed'
import { llm } from 'heed/producers'
import { describe, expect, test } from 'vitest'
import { outcomeOf } from '../shell/scene.ts'

/** A proxy that throws whatever is asked of it. */
function revoked(target: object): unknown {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

describe.each([
  ['an object', {}],
  ['a function', () => undefined],
  ['an error', new Error('x')],
])('a revoked proxy of %s is passed on as it was thrown', (_of, target) => {
  const thrown = revoked(target)
  const fail = (): never => {
    throw thrown
  }

  test.each([undefined, llm()])('from a call, by whichever face', async (producer) => {
    const guard = heed({ candidates: [{ id: 'a', provider: 'p' }], ...(producer && { producer }) })
    const limits = { abortSignal: new AbortController().signal, timeoutMs: 1_000 }
    const calls = [
      guard.execute(fail),
      guard.execute(async () => fail()),
      guard.execute(fail, limits),
      guard.wrap(fail)(),
      guard.stream(fail).next(),
    ]
    const ends = await Promise.all(calls.map(outcomeOf))
    expect(ends.every((end) => 'error' in end && Object.is(end.error, thrown))).toBe(true)
  })

  test('from a stream after its commit, and as the reason of an abort', async () => {
    const guard = heed({ candidates: [{ id: 'a', provider: 'p' }], producer: llm() })
    const stream = guard.stream(async function* () {
      yield 'x'
      fail()
    })
    await stream.next()
    const controller = new AbortController()
    const call = guard.execute(() => new Promise(() => {}), { abortSignal: controller.signal })
    controller.abort(thrown)
    const ends = await Promise.all([stream.next(), call].map(outcomeOf))
    expect(ends.every((end) => 'error' in end && Object.is(end.error, thrown))).toBe(true)
  })
})
