import { createHealth, heed } from 'heed'
import { fakeClock } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { noUnhandledRejections } from './no-unhandled-rejections.ts'

const one = [{ id: 'a', provider: 'p' }]
const later = (): never => Promise.reject(new Error('later')) as never
const failing = Object.assign(new Error('again'), { class: 'transient' })

function noting(): { readonly health: ReturnType<typeof createHealth>; readonly noted: string[] } {
  const health = createHealth()
  const noted: string[] = []
  health.on('malformed', ({ field, fault }) => void noted.push(`${field} ${fault}`))
  return { health, noted }
}

describe('a function that has to answer at once and answers a promise', () => {
  noUnhandledRejections()

  test('says nothing of an item, which is then content', async () => {
    const { health, noted } = noting()
    const guard = heed({ candidates: one, health })
    const source = async function* (): AsyncGenerator<string> {
      yield 'first'
      throw failing
    }
    const stream = guard.stream(source, { isContent: later })
    expect(await stream.next()).toEqual({ done: false, value: 'first' })
    await expect(stream.next()).rejects.toBe(failing)
    expect(noted).toEqual(['isContent wrong_type'])
  })

  test('counts for no breaker', async () => {
    const { health, noted } = noting()
    const breaker = { coolMs: 10, counter: () => ({ success: later, failure: later }) }
    const guard = heed({ candidates: one, health, breaker, maxWaitMs: 0 })
    await guard.execute(() => 1)
    await guard.settle(() => Promise.reject(failing))
    expect(health.snapshot().cooling).toEqual([])
    expect(new Set(noted)).toEqual(new Set(['breaker wrong_type']))
  })

  test('spreads nothing', async () => {
    const clock = fakeClock()
    const guard = heed({ candidates: one, clock, backoff: () => 5, random: later })
    const answer = guard.execute(({ number }) => {
      if (number === 1) throw failing
      return clock.now()
    })
    expect(await clock.run(answer)).toBe(5)
  })
})
