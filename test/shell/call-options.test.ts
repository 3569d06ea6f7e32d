import { heed } from 'heed'
import { describe, expect, test } from 'vitest'

describe.each([null, 5, 'fast'])('options of a call that are %o', (options) => {
  const guard = heed({ candidates: [{ id: 'a', provider: 'p' }] })
  const wrong = new TypeError('heed: the options of a call: give an object, or nothing')
  const calls: string[] = []
  const fn = (): string => {
    calls.push('called')
    return 'served'
  }

  test('reject execute', async () => {
    await expect(guard.execute(fn, options as never)).rejects.toThrow(wrong)
  })

  test('reject a wrapped function', async () => {
    await expect(guard.wrap(fn, () => options as never)()).rejects.toThrow(wrong)
  })

  test('are the error of settle', async () => {
    expect(await guard.settle(fn, options as never)).toEqual({ status: 'failed', error: wrong, attempts: [] })
  })

  test('reject a stream', async () => {
    const stream = guard.stream(async function* () {
      yield fn()
    }, options as never)
    await expect(stream.next()).rejects.toThrow(wrong)
  })

  test('before anything is called', () => {
    expect(calls).toEqual([])
  })
})
