import { createHealth, heed } from 'heed'
import { expect, test } from 'vitest'

const one = [{ id: 'a', provider: 'p' }]
const unreadable = new Error('unreadable')
const revoked = Proxy.revocable({}, {})
revoked.revoke()

const hostile: Readonly<Record<string, unknown>> = {
  'whose `done` throws': {
    get done(): boolean {
      throw unreadable
    },
  },
  'that is a revoked proxy': revoked.proxy,
}

test.each(Object.entries(hostile))('a committed stream ends at a result %s', async (_name, result) => {
  const health = createHealth()
  const told: string[] = []
  health.on('surface', () => void told.push('surface'))
  health.on('success', () => void told.push('success'))
  let reads = 0
  let closed = 0
  const source = () => ({
    [Symbol.asyncIterator]: () => ({
      next: () => {
        reads += 1
        return Promise.resolve((reads === 1 ? { done: false, value: 1 } : result) as IteratorResult<number>)
      },
      return: () => {
        closed += 1
        return Promise.resolve({ done: true, value: undefined } as const)
      },
    }),
  })
  const stream = heed({ candidates: one, health }).stream(source)
  expect(await stream.next()).toEqual({ done: false, value: 1 })
  await expect(stream.next()).rejects.toThrow()
  expect(await stream.next()).toEqual({ done: true, value: undefined })
  expect({ reads, closed, told }).toEqual({ reads: 2, closed: 1, told: ['surface'] })
})

test('a promise whose own `then` throws is a failed attempt', async () => {
  const broken = Object.defineProperty(Promise.resolve(1), 'then', {
    value: () => {
      throw unreadable
    },
  })
  await expect(heed({ candidates: one }).execute(() => broken)).rejects.toBe(unreadable)
})
