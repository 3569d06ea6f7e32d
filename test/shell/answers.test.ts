import type { Classification, Producer } from 'heed'
import { describe, expect, test } from 'vitest'
import { A, B, outcomeOf, scene } from './scene.ts'

type Answer = { readonly failed?: Classification; readonly body: string }

/** Reads a failure that was answered as an ordinary value. */
const producer: Producer = {
  classify: () => undefined,
  inspect: (value) => (value as Answer).failed,
}

describe('a failure that was answered', () => {
  const answering = (byId: Record<string, Answer>) => {
    const told = scene({ candidates: [A, B], producer })
    const asked: string[] = []
    return {
      ...told,
      asked,
      call: ({ candidate }: { readonly candidate: { readonly id: string } }): Answer => {
        asked.push(candidate.id)
        return byId[candidate.id] ?? { body: candidate.id }
      },
    }
  }

  test('is a failure: the next candidate serves', async () => {
    const { guard, call, asked, of } = answering({ a: { failed: { class: 'permanent' }, body: 'no' } })
    expect(await guard.execute(call)).toEqual({ body: 'b' })
    expect(asked).toEqual(['a', 'b'])
    expect(of('failure')).toMatchObject([{ candidate: 'a', class: 'permanent' }])
    expect(of('success')).toHaveLength(1)
  })

  test('waits for its hint', async () => {
    const { guard, clock, asked } = answering({})
    let turn = 0
    const value = await clock.run(
      guard.execute(({ candidate }): Answer => {
        asked.push(candidate.id)
        turn += 1
        return turn === 1 ? { failed: { class: 'transient', retryAfterSecs: 2 }, body: 'busy' } : { body: 'ok' }
      }),
    )
    expect(value).toEqual({ body: 'ok' })
    expect(clock.now()).toBe(2_000)
  })

  test('that is passed through is handed over as the answer it is', async () => {
    const answer: Answer = { failed: { class: 'quota_of_mars' }, body: 'no' }
    const { guard, call, asked, of, names } = answering({ a: answer })
    expect(await guard.execute(call)).toBe(answer)
    expect(asked).toEqual(['a'])
    expect(of('surface')).toMatchObject([{ reason: 'unknown_class' }])
    expect(names().filter((name) => name === 'success' || name === 'surface')).toEqual(['surface'])
  })

  test('that is ambiguous is handed over, and sent to nobody else', async () => {
    const answer: Answer = { failed: { class: 'transient', ambiguous: true }, body: 'maybe' }
    const { guard, call, asked } = answering({ a: answer })
    expect(await guard.execute(call)).toBe(answer)
    expect(asked).toEqual(['a'])
  })

  test('after attempt.commit() is handed over, and nothing is replayed', async () => {
    const answer: Answer = { failed: { class: 'transient' }, body: 'half' }
    const { guard, asked } = answering({})
    const value = await guard.execute((attempt): Answer => {
      asked.push(attempt.candidate.id)
      attempt.commit()
      return answer
    })
    expect(value).toBe(answer)
    expect(asked).toEqual(['a'])
  })

  test('of several outcomes is the cause of what is thrown', async () => {
    const last: Answer = { failed: { class: 'permanent' }, body: 'b' }
    const { guard, call } = answering({ a: { failed: { class: 'permanent' }, body: 'a' }, b: last })
    const settled = await outcomeOf(guard.execute(call))
    expect(settled).toMatchObject({ error: { reason: 'all_permanent' } })
    expect((settled as { error: Error }).error.cause).toBe(last)
  })

  test('counts the attempts made in a settled outcome', async () => {
    const { guard, call, of } = answering({ a: { failed: { class: 'quota_of_mars' }, body: 'no' } })
    const outcome = await guard.settle(call)
    expect(outcome.attempts).toHaveLength(1)
    expect(of('attempt')).toHaveLength(1)
  })

  test('is read with the wall clock, which adapters need for dates', async () => {
    const times: number[] = []
    const told = scene({
      candidates: [A],
      producer: {
        classify: (_, { nowMs }) => {
          times.push(nowMs)
          return undefined
        },
        inspect: (_, { nowMs }) => {
          times.push(nowMs)
          return undefined
        },
      },
    })
    await told.guard.execute(() => 'x')
    await told.guard.settle(() => Promise.reject(new Error('x')))
    expect(times).toEqual([told.clock.wallNow(), told.clock.wallNow()])
  })

  test('an inspect that throws or answers nonsense is reported, and the answer is one', async () => {
    for (const inspect of [
      () => {
        throw new Error('x')
      },
      () => 'transient' as never,
      () => ({ class: 5 }) as never,
    ]) {
      const told = scene({ candidates: [A], producer: { classify: () => undefined, inspect } })
      expect(await told.guard.execute(() => 'fine')).toBe('fine')
      expect(told.of('malformed')).toMatchObject([{ source: 'producer', field: 'inspect' }])
      expect(told.of('success')).toHaveLength(1)
    }
  })

  test('without an adapter no answer is read', async () => {
    const told = scene({ candidates: [A, B] })
    const answer = { class: 'transient', retry_after_secs: 5, error: { class: 'permanent' } }
    expect(await told.guard.execute(() => answer)).toBe(answer)
    expect(told.of('failure')).toEqual([])
  })
})
