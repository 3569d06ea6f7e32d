import { heed, isHeedError, unwrap } from 'heed'
import { fakeClock, producedError, scriptedProducer } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { A, B, outcomeOf, scene } from './scene.ts'

describe('the attempt', () => {
  test('says all it is documented to say, and can be taken apart', async () => {
    const controller = new AbortController()
    const told = scene({ candidates: [A] })
    await told.guard.execute(
      ({ candidate, credential, number, targetAttempt, callId, idempotencyKey, input, abortSignal, commit }) => {
        expect(candidate).toBe(A)
        expect(credential).toBeUndefined()
        expect([number, targetAttempt]).toEqual([1, 1])
        expect(callId).toMatch(/\S/)
        expect(idempotencyKey).toMatch(/\S/)
        expect(input).toEqual({ text: 'x' })
        expect(abortSignal).toBeInstanceOf(AbortSignal)
        expect(commit).toBeInstanceOf(Function)
      },
      { input: { text: 'x' }, abortSignal: controller.signal },
    )
  })

  test('cannot be changed', async () => {
    const told = scene({ candidates: [A] })
    await told.guard.execute((attempt) => {
      for (const name of ['candidate', 'number', 'input', 'callId', 'abortSignal'] as const) {
        expect(() => Object.assign(attempt, { [name]: 'mine' })).toThrow(TypeError)
      }
    })
  })

  test('its signal is one object however often it is read, and not aborted by success', async () => {
    const told = scene({ candidates: [A], attemptTimeoutMs: 1_000 })
    let kept: AbortSignal | undefined
    await told.guard.execute((attempt) => {
      expect(attempt.abortSignal).toBe(attempt.abortSignal)
      kept = attempt.abortSignal
    })
    await told.clock.advance(10_000)
    expect(kept?.aborted).toBe(false)
  })

  test('each call has an id of its own, in all guards', async () => {
    const ids = new Set<string>()
    for (const guard of [heed({ candidates: [A] }), heed({ candidates: [A] })]) {
      for (let call = 0; call < 100; call += 1) await guard.execute(({ callId }) => ids.add(callId))
    }
    expect(ids.size).toBe(200)
  })

  test('committing keeps every later failure as it came', async () => {
    for (const stated of ['transient', 'permanent', 'auth_required', 'context_overflow', 'quota_of_mars']) {
      const told = scene({ candidates: [A, B] })
      const error = producedError(stated)
      let asked = 0
      const settled = await outcomeOf(
        told.guard.execute((attempt) => {
          asked += 1
          attempt.commit()
          throw error
        }),
      )
      expect((settled as { error: unknown }).error).toBe(error)
      expect(asked).toBe(1)
      expect(told.of('commit')).toMatchObject([{ by: 'attempt' }])
      expect(told.of('surface')).toMatchObject([{ reason: 'committed' }])
    }
  })

  test('that was cut off keeps its own input and key when it reads them late', async () => {
    const told = scene({ candidates: [{ ...A, contextWindow: 10 }], attemptTimeoutMs: 1_000, idempotent: true })
    let early: { readonly input: string; readonly idempotencyKey: string } | undefined
    const keys: string[] = []
    await told.clock.run(
      told.guard.execute(
        (attempt) => {
          if (attempt.number === 1) {
            early = attempt
            keys.push(attempt.idempotencyKey)
            return new Promise<never>(() => undefined)
          }
          if (attempt.number === 2) throw producedError('context_overflow')
          return 'x'
        },
        { input: 'long', reduce: () => 'short' },
      ),
    )
    expect(early?.input).toBe('long')
    expect(early?.idempotencyKey).toBe(keys[0])
  })

  test('no attempt starts after a commit that is told, also where a cut attempt commits late', async () => {
    const told = scene({ candidates: [A, B], attemptTimeoutMs: 1_000, idempotent: true })
    let commit: () => void = () => undefined
    const work = outcomeOf(
      told.guard.execute((attempt) => {
        if (attempt.number > 1) return 'second'
        commit = attempt.commit
        return new Promise<never>(() => undefined)
      }),
    )
    // In the wait between the two attempts.
    await told.clock.advance(1_050)
    expect(told.of('attempt')).toHaveLength(1)
    commit()
    await told.clock.run(work)
    const names = told.names()
    const committed = names.indexOf('commit')
    expect(committed < 0 ? [] : names.slice(committed).filter((name) => name === 'attempt')).toEqual([])
  })

  test('committing after the call has ended is no event of it', async () => {
    const told = scene({ candidates: [A] })
    let commit: () => void = () => undefined
    await told.guard.execute((attempt) => {
      commit = attempt.commit
    })
    commit()
    expect(told.names()).toEqual(['attempt', 'success'])
  })
})

describe('the events of a call', () => {
  test('every started attempt ends in one success or failure, every call in one success or surface', async () => {
    for (const last of ['value', 'error'] as const) {
      const told = scene({ candidates: [A, B] })
      const { call } = scriptedProducer(
        {
          a: [{ error: producedError('transient') }, { error: producedError('permanent') }],
          b: last === 'value' ? [{ value: 'b' }] : [{ error: producedError('permanent') }],
        },
        told,
      )
      await told.clock.run(told.guard.settle(call))
      const ends = told.of('success').length + told.of('failure').length
      expect(told.of('attempt')).toHaveLength(ends)
      expect(told.of('success').length + told.of('surface').length).toBe(1)
      expect(told.of('chain_dead')).toHaveLength(last === 'value' ? 0 : 1)
      expect(new Set(told.heard.map(({ callId }) => callId)).size).toBe(1)
      expect(told.heard.every(({ asked }) => asked === 'a')).toBe(true)
    }
  })

  test('all are heard before the call settles', async () => {
    const told = scene({ candidates: [A] })
    const order: string[] = []
    told.guard.health.on('success', () => order.push('success'))
    await told.guard.execute(() => 'x').then(() => order.push('settled'))
    expect(order).toEqual(['success', 'settled'])
  })
})

describe('settle', () => {
  test('completed', async () => {
    const told = scene({ candidates: [A, B] })
    const { call } = scriptedProducer({ a: [{ error: producedError('permanent') }] }, told)
    const outcome = await told.guard.settle(call)
    expect(outcome).toStrictEqual({
      status: 'completed',
      value: 'b',
      served: { candidate: B, attempts: outcome.attempts },
      attempts: [
        { candidate: 'a', class: 'permanent', waited_ms: 0 },
        { candidate: 'b', waited_ms: 0 },
      ],
    })
    expect(outcome.status === 'completed' && outcome.served.candidate === B).toBe(true)
    expect(unwrap(outcome)).toBe('b')
  })

  test('failed, with class, hint and exhausted', async () => {
    const told = scene({ candidates: [A] })
    const { call } = scriptedProducer({ a: [{ error: producedError('transient', { retryAfterSecs: 3_600 }) }] }, told)
    const outcome = await told.guard.settle(call)
    expect(outcome).toMatchObject({ status: 'failed', class: 'transient', retry_after_secs: 3_600, exhausted: true })
    expect(JSON.parse(JSON.stringify(outcome))).toMatchObject({ class: 'transient', retry_after_secs: 3_600 })
  })

  test('suspended is for auth_required alone', async () => {
    const told = scene({ candidates: [A], auth: () => 'surface' })
    const { call } = scriptedProducer({ a: [{ error: producedError('auth_required') }] }, told)
    expect(await told.guard.settle(call)).toMatchObject({ status: 'suspended', class: 'auth_required' })
  })

  test("cancelled is for the caller's abort, at any time", async () => {
    for (const whenMs of [-1, 0, 50]) {
      const told = scene({ candidates: [A] })
      const controller = new AbortController()
      const reason = new Error('enough')
      if (whenMs < 0) controller.abort(reason)
      const outcome = told.guard.settle(() => Promise.reject(producedError('transient')), {
        abortSignal: controller.signal,
      })
      if (whenMs >= 0) await told.clock.advance(whenMs)
      controller.abort(reason)
      const ended = await outcome
      expect(ended).toMatchObject({ status: 'cancelled' })
      expect(ended.status !== 'completed' && ended.error).toBe(reason)
      expect(() => unwrap(ended)).toThrow(reason)
    }
  })

  test('an AbortError that the caller did not cause is a failure like any other', async () => {
    const told = scene({ candidates: [A] })
    const error = new DOMException('not yours', 'AbortError')
    expect(await told.guard.settle(() => Promise.reject(error))).toMatchObject({ status: 'failed', error })
  })

  test.each([[undefined], [null], [0], [''], [false]])('a thrown %s is still a failure', async (thrown) => {
    const told = scene({ candidates: [A, B] })
    const outcome = await told.guard.settle(() => Promise.reject(thrown))
    expect(outcome).toMatchObject({ status: 'failed', error: thrown })
    expect(outcome.attempts).toHaveLength(1)
    expect(await outcomeOf((async () => unwrap(outcome))())).toEqual({ error: thrown })
    expect(await outcomeOf(told.guard.execute(() => Promise.reject(thrown)))).toEqual({ error: thrown })
  })

  test('never throws, whatever it is given', async () => {
    const told = scene({ candidates: [A] })
    expect(await told.guard.settle(undefined as never)).toMatchObject({ status: 'failed' })
    expect(await told.guard.settle(() => 'x', { timeoutMs: Number.NaN })).toMatchObject({ status: 'failed' })
  })

  test('a thenable is awaited like a promise', async () => {
    const told = scene({ candidates: [A] })
    // biome-ignore lint/suspicious/noThenProperty: that is the point
    const thenable = { then: (resolve: (value: string) => void) => resolve('thenable') }
    expect(unwrap(await told.guard.settle(() => thenable as PromiseLike<string>))).toBe('thenable')
    expect(await told.guard.execute(() => thenable as PromiseLike<string>)).toBe('thenable')
  })
})

describe('wrap', () => {
  test('makes a function whose every call is an execute, options made from its arguments', async () => {
    const told = scene({ candidates: [A, B] })
    const given: unknown[] = []
    const controller = new AbortController()
    const ask = told.guard.wrap(
      ({ candidate, input }, question: string, limit: number) => {
        given.push([candidate.id, input, question, limit])
        if (candidate.id === 'a') throw producedError('permanent')
        return `${question}!`
      },
      (question: string, limit: number) => ({ input: `${question}/${limit}`, abortSignal: controller.signal }),
    )
    expect(await ask('why', 3)).toBe('why!')
    expect(given).toEqual([
      ['a', 'why/3', 'why', 3],
      ['b', 'why/3', 'why', 3],
    ])
    controller.abort('enough')
    expect(await outcomeOf(ask('again', 1))).toEqual({ error: 'enough' })
  })

  test('needs no options', async () => {
    const told = scene({ candidates: [A] })
    expect(await told.guard.wrap((_, a: number, b: number) => a + b)(1, 2)).toBe(3)
  })

  test('options that throw reject the call', async () => {
    const told = scene({ candidates: [A] })
    const ask = told.guard.wrap(
      () => 'x',
      () => {
        throw new Error('the options')
      },
    )
    await expect((async () => ask())()).rejects.toThrow('the options')
  })
})

describe('the health', () => {
  test('its snapshot is plain JSON that shares nothing', async () => {
    const told = scene({ candidates: [A, B], auth: () => 'advance' })
    const { call } = scriptedProducer(
      {
        a: [{ value: 'a' }, { error: producedError('transient', { retryAfterSecs: 30 }) }],
        b: [{ error: producedError('auth_required') }],
      },
      told,
    )
    await told.guard.execute(call)
    await told.guard.settle(call, { timeoutMs: 1_000 })
    const snapshot = told.guard.health.snapshot()
    expect(snapshot.cooling).toEqual([{ candidate: 'a', remainingMs: 30_000, breaker: 'closed' }])
    expect(snapshot.providers).toMatchObject([{ provider: 'q', blocked: true, declined: false, generation: 0 }])
    expect(snapshot.budgets).toEqual([{ candidate: 'a', saved: 1 }])
    expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot)
    ;(snapshot.cooling as unknown[]).length = 0
    ;(snapshot.providers[0]?.refused as unknown[]).length = 0
    expect(told.guard.health.snapshot().cooling).toHaveLength(1)
    await told.clock.advance(30_000)
    expect(told.guard.health.snapshot().cooling).toMatchObject([{ remainingMs: 0 }])
  })

  test('revive lets a cooling candidate be tried at once', async () => {
    const told = scene({ candidates: [A, B] })
    const { call, invocations } = scriptedProducer(
      { a: [{ error: producedError('transient', { retryAfterSecs: 3_600 }) }, { value: 'a' }] },
      told,
    )
    expect(await told.guard.execute(call)).toBe('b')
    told.guard.health.revive('a')
    expect(await told.guard.execute(call)).toBe('a')
    expect(told.of('recovered')).toMatchObject([{ candidate: 'a', by: 'revive' }])
    expect(invocations.map(({ at }) => at)).toEqual([0, 0, 0])
  })

  test('revive of what does not cool is no news', () => {
    const told = scene({ candidates: [A] })
    told.guard.health.revive('a')
    told.guard.health.revive('nobody')
    expect(told.heard).toEqual([])
  })

  test('ids that name properties of every object are only ids', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
    const clock = fakeClock()
    const guard = heed({ candidates: names.map((id) => ({ id, provider: id })), clock, random: () => 0 })
    const asked: string[] = []
    const outcome = await guard.settle(({ candidate }) => {
      asked.push(candidate.id)
      throw producedError('transient', { retryAfterSecs: 3_600 })
    })
    expect(asked).toEqual(names)
    expect(outcome).toMatchObject({ status: 'failed', class: 'transient' })
    expect(guard.health.snapshot().cooling.map(({ candidate }) => candidate)).toEqual(names)
    const next = await guard.settle(() => 'never')
    expect(next.attempts).toEqual([])
    for (const name of names) guard.auth.decline(name)
    expect(
      guard.health
        .snapshot()
        .providers.map(({ provider }) => provider)
        .sort(),
    ).toEqual([...names].sort())
  })
})

describe('isHeedError', () => {
  test('knows its own and nothing else', async () => {
    const told = scene({ candidates: [A] })
    const settled = await outcomeOf(told.guard.execute(() => Promise.reject(producedError('permanent'))))
    expect(isHeedError((settled as { error: unknown }).error)).toBe(true)
    for (const other of [undefined, null, 'x', new Error('x'), {}, { name: 'HeedError' }, producedError('transient')]) {
      expect(isHeedError(other)).toBe(false)
    }
  })
})
