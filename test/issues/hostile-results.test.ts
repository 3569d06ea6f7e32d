import { createHealth, heed } from 'heed'
import { expect, test } from 'vitest'

const one = [{ id: 'a', provider: 'p' }]
const unreadable = new Error('unreadable')
const revoked = Proxy.revocable({}, {})
revoked.revoke()

/** A source of one item, and what it answers then; with how often it was read and closed. */
function endingWith(result: unknown) {
  const counts = { reads: 0, closed: 0 }
  const source = () => ({
    [Symbol.asyncIterator]: () => ({
      next: () => {
        counts.reads += 1
        return Promise.resolve((counts.reads === 1 ? { done: false, value: 1 } : result) as IteratorResult<number>)
      },
      return: () => {
        counts.closed += 1
        return Promise.resolve({ done: true, value: undefined } as const)
      },
    }),
  })
  return { source, counts }
}

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
  const { source, counts } = endingWith(result)
  const stream = heed({ candidates: one, health }).stream(source)
  expect(await stream.next()).toEqual({ done: false, value: 1 })
  await expect(stream.next()).rejects.toThrow()
  expect(await stream.next()).toEqual({ done: true, value: undefined })
  expect({ ...counts, told }).toEqual({ reads: 2, closed: 1, told: ['surface'] })
})

test('a promise whose own `then` throws is a failed attempt', async () => {
  const broken = Object.defineProperty(Promise.resolve(1), 'then', {
    value: () => {
      throw unreadable
    },
  })
  await expect(heed({ candidates: one }).execute(() => broken)).rejects.toBe(unreadable)
})

test('a committed stream that ends incomplete closes its source once', async () => {
  const { source, counts } = endingWith({ done: true, value: undefined })
  const stream = heed({ candidates: one }).stream(source, { isEnd: () => false })
  await stream.next()
  await expect(stream.next()).rejects.toMatchObject({ reason: 'incomplete_stream' })
  expect(counts.closed).toBe(1)
})

test('a strategy whose answer cannot be read as a promise or none has said nothing', async () => {
  const health = createHealth()
  const noted: string[] = []
  health.on('malformed', ({ field, fault }) => void noted.push(`${field} ${fault}`))
  const overflow = () =>
    Object.defineProperty({}, 'then', {
      get: () => {
        throw unreadable
      },
    })
  const guard = heed({ candidates: one, health, overflow: overflow as never })
  const full = Object.assign(new Error('full'), { class: 'context_overflow' })
  await expect(guard.execute(() => Promise.reject(full))).rejects.toMatchObject({ class: 'context_overflow' })
  expect(noted).toEqual(['overflow wrong_type'])
})

test('the cause of an error may be given anew, as that of any other', async () => {
  const error = await heed({ candidates: one })
    .execute(() => Promise.reject(Object.assign(new Error('no'), { class: 'permanent' })))
    .catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ reason: 'all_permanent', cause: { message: 'no' } })
  expect(Object.assign(error as Error, { cause: 'another' }).cause).toBe('another')
})
