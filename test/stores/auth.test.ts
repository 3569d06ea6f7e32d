import { createHealth, heed } from 'heed'
import { NO_SHARE } from 'heed/stores/mirrored'
import { type FakeClock, producedError, scriptedProducer } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { A, B, fleet, type Member } from './fleet.ts'

const refused = { error: producedError('auth_required') }
const prompts = (members: readonly Member[]): readonly unknown[] => members.flatMap(({ of }) => of('auth_prompt'))

describe('auth across processes', () => {
  test('one prompt for the fleet, however many calls are refused at once', async () => {
    const { clock, join } = fleet()
    const members = Array.from({ length: 5 }, () => join())
    const { call, invocations } = scriptedProducer({ a: [{ ...refused, afterMs: 5 }] }, { clock })
    const calls = members.flatMap(({ guard }) => Array.from({ length: 20 }, () => guard.settle(call)))
    await clock.advance(10)
    expect(prompts(members)).toMatchObject([{ provider: 'p', generation: 0, blocking: true }])
    for (const { guard } of members) {
      expect(guard.auth.pending()).toMatchObject([{ provider: 'p', blocking: true, waiting: 20 }])
    }
    const made = invocations.length
    const more = members.map(({ guard }) => guard.settle(call))
    await clock.advance(1_000)
    expect(invocations).toHaveLength(made)
    for (const { guard } of members) guard.auth.decline('p')
    await clock.run(Promise.all([...calls, ...more]))
  })

  test('resolve anywhere wakes the calls everywhere, spread over a second, and one goes first', async () => {
    const { clock, join } = fleet()
    const members = [join(), join(), join()]
    const { call, invocations } = scriptedProducer({ a: [refused, { value: 'served' }] }, { clock })
    const first = (members[0] as Member).guard.execute(call)
    await clock.advance(0)
    const rest = members.flatMap(({ guard }) => Array.from({ length: 10 }, () => guard.execute(call)))
    await clock.advance(60_000)
    expect(invocations).toHaveLength(1)
    const resolvedMs = clock.now()
    ;(members[2] as Member).guard.auth.resolve('p')
    const values = await clock.run(Promise.all([first, ...rest]))
    expect(new Set(values)).toEqual(new Set(['served']))
    const after = invocations.slice(1).map(({ at }) => at - resolvedMs)
    expect(after.filter((ms) => ms === 0)).toHaveLength(1)
    expect(Math.max(...after)).toBeLessThan(1_000)
    for (const { of, guard } of members) {
      expect(of('auth_resolved')).toMatchObject([{ provider: 'p', outcome: 'resolved', generation: 1 }])
      expect(guard.auth.pending()).toEqual([])
    }
    expect(prompts(members)).toHaveLength(1)
  })

  test('decline anywhere ends the pauses everywhere at once', async () => {
    const { clock, join } = fleet({ candidates: [A, B] })
    const [one, other] = [join(), join()]
    const { call } = scriptedProducer({ a: [refused], b: [{ value: 'b' }] }, { clock })
    const waiting = [one.guard.execute(call), other.guard.execute(call)]
    await clock.advance(10)
    const declinedMs = clock.now()
    other.guard.auth.decline('p', 'not today')
    expect(await clock.run(Promise.all(waiting))).toEqual(['b', 'b'])
    expect(clock.now()).toBe(declinedMs)
    expect(one.guard.health.snapshot().providers).toMatchObject([{ provider: 'p', declined: true }])
    // The human's words stay where they were said.
    expect(JSON.stringify(one.heard)).not.toContain('not today')
  })

  test('a process that starts later joins the pause, and the prompt outlives the one that raised it', async () => {
    const { clock, join } = fleet()
    const raiser = join()
    const { call, invocations } = scriptedProducer({ a: [refused, { value: 'served' }] }, { clock })
    void raiser.guard.settle(call)
    await clock.advance(0)
    await raiser.guard.health.close()
    const late = join()
    await late.guard.health.ready()
    expect(late.guard.auth.pending()).toMatchObject([{ provider: 'p', blocking: true, waiting: 0 }])
    const joined = late.guard.execute(call)
    await clock.advance(1_000)
    expect(late.of('pause')).toMatchObject([{ provider: 'p', reason: 'blocked' }])
    expect(invocations).toHaveLength(1)
    late.guard.auth.resolve('p')
    expect(await clock.run(joined)).toBe('served')
    expect(late.of('auth_prompt')).toEqual([])
  })

  test('a refusal of the generation before marks nothing in the new one', async () => {
    const { clock, join } = fleet()
    const [one, other] = [join(), join()]
    const { call } = scriptedProducer({ a: [refused, { ...refused, afterMs: 100 }, { value: 'served' }] }, { clock })
    const first = one.guard.execute(call)
    const slow = other.guard.execute(call)
    await clock.advance(10)
    one.guard.auth.resolve('p')
    expect(await clock.run(Promise.all([first, slow]))).toEqual(['served', 'served'])
    expect(prompts([one, other])).toHaveLength(1)
  })

  test('a prompt that does not block lists the refused credential, and the next one serves everywhere', async () => {
    const { clock, join } = fleet({ candidates: [{ id: 'a', provider: 'p', credentials: ['k1', 'k2'] }] })
    const [one, other] = [join(), join()]
    const used: unknown[] = []
    const call = ({ credential }: { credential: string | undefined }): string => {
      used.push(credential)
      if (credential === 'k1') throw producedError('auth_required')
      return 'served'
    }
    await clock.run(one.guard.execute(call))
    await clock.run(other.guard.execute(call))
    expect(used).toEqual(['k1', 'k2', 'k2'])
    expect(prompts([one, other])).toMatchObject([{ refused: ['k1'], blocking: false }])
    expect(other.guard.auth.pending()).toMatchObject([{ refused: ['k1'], blocking: false }])
  })

  test('resolve by a process that has missed a generation still counts', async () => {
    const { clock, join, store } = fleet()
    const one = join()
    const { atMs } = await store.read()
    const mark = { untilMs: atMs + 1e9, setMs: atMs }
    await store.publish([{ ...NO_SHARE, group: 'p:p', generation: 4, marks: { 'k:': mark, blocked: mark } }])
    const { call } = scriptedProducer({ a: [{ value: 'served' }] }, { clock })
    const waiting = one.guard.execute(call)
    await clock.advance(0)
    expect(one.guard.auth.pending()).toMatchObject([{ generation: 4, waiting: 1 }])
    await store.publish([{ ...NO_SHARE, group: 'p:p', generation: 1, sinceMs: atMs + 1 }])
    expect(await clock.run(waiting)).toBe('served')
    expect(one.guard.health.snapshot().providers).toMatchObject([{ generation: 5, blocked: false }])
  })

  test('no prompt is lost where the store is out of reach: each process raises its own', async () => {
    const { clock, join, store } = fleet()
    const members = [join(), join()]
    store.disconnect()
    const { call } = scriptedProducer({ a: [refused] }, { clock })
    for (const { guard } of members) void guard.settle(call)
    await clock.advance(10)
    expect(prompts(members)).toHaveLength(2)
    store.reconnect()
    await clock.advance(1_000)
    const late = join()
    await late.guard.health.ready()
    expect(late.guard.auth.pending()).toMatchObject([{ provider: 'p', blocking: true }])
  })

  test('no prompt is lost where humans answer in two processes at once, and are refused again', async () => {
    for (let seed = 1; seed <= 25; seed += 1) {
      let turn = seed * 7_919
      const random = (): number => {
        turn = (turn * 48_271) % 2_147_483_647
        return turn / 2_147_483_647
      }
      const { clock, join } = fleet(
        { candidates: [{ ...A, credentials: ['k1', 'k2'] }] },
        { travel: (arrive) => clock.setTimeout(arrive, random() * 20) },
      )
      const members = [0, 50_000, -50_000, 0].map((skewMs) => join({}, skewMs))
      await clock.advance(6_000)
      for (let round = 0; round < 3; round += 1) {
        for (const { guard } of members) {
          void guard.settle(() => Promise.reject(producedError('auth_required')), { timeoutMs: 20_000 })
          await clock.advance(random() * 10)
        }
        await clock.advance(8_000)
        const [mark] = (members[0] as Member).guard.health.snapshot().providers
        expect(mark).toMatchObject({ blocked: true })
        const asked = members.flatMap(({ of }) => of('auth_prompt').map(({ generation }) => generation))
        expect(asked).toContain(mark?.generation)
        for (let human = 0; human < 2; human += 1) members[Math.floor(random() * 4)]?.guard.auth.resolve('p')
        await clock.advance(6_000)
      }
      for (const { guard } of members) void guard.health.close()
    }
  })
})

describe('with answers of the store that are slow', () => {
  /** Messages of a kind take so long from when it is said. */
  const slowly = (kinds: readonly string[], ms: number) => {
    let isSlow = false
    const made = fleet(
      {},
      {
        travel: (arrive, what) => (isSlow && kinds.includes(what) ? void made.clock.setTimeout(arrive, ms) : arrive()),
      },
    )
    return {
      ...made,
      slow: () => {
        isSlow = true
      },
    }
  }

  test('a key that is refused again before the first answer is asked about once a generation', async () => {
    const { clock, join, slow } = slowly(['answer'], 1_500)
    const one = join()
    await clock.advance(10)
    slow()
    one.guard.health.revive('other')
    const { call } = scriptedProducer({ a: [refused] }, { clock })
    void one.guard.settle(call)
    await clock.advance(100)
    one.guard.auth.resolve('p')
    await clock.advance(8_000)
    const asked = one.of('auth_prompt').map(({ generation }) => generation)
    expect(asked).toEqual([...new Set(asked)])
    expect(asked).toContain(1)
  })

  test('a process whose question was answered does not ask what another has asked since', async () => {
    const { clock, join, slow } = slowly(['answer'], 1_500)
    const [one, other] = [join(), join()]
    await clock.advance(10)
    slow()
    const { call } = scriptedProducer({ a: [refused] }, { clock })
    void one.guard.settle(call)
    await clock.advance(100)
    other.guard.auth.resolve('p')
    await clock.advance(10)
    void other.guard.settle(call)
    await clock.advance(8_000)
    const asked = prompts([one, other]).map((event) => (event as { generation: number }).generation)
    expect(asked).toEqual([1])
  })

  test('whoever starts late and is refused one of its keys hears of no answer from before', async () => {
    const { clock, join, slow } = slowly(['write', 'answer', 'news'], 100)
    const keys = { candidates: [{ ...A, credentials: ['k1', 'k2'] }] }
    const one = join(keys)
    await clock.advance(10)
    let isRenewed = false
    void one.guard.settle(() => (isRenewed ? 'served' : Promise.reject(producedError('auth_required'))))
    await clock.advance(10)
    isRenewed = true
    one.guard.auth.resolve('p')
    await clock.advance(60_000)
    slow()
    const late = join(keys)
    void late.guard.settle(({ credential }) =>
      credential === 'k1' ? Promise.reject(producedError('auth_required')) : 'served',
    )
    await clock.advance(10_000)
    expect(late.of('auth_resolved')).toEqual([])
    expect(late.of('auth_prompt')).toMatchObject([
      { generation: late.guard.auth.pending()[0]?.generation, refused: ['k1'] },
    ])
  })

  test.each([1, 100, 400])(
    'whoever is refused before all is read (%i ms) is asked about, and not woken',
    async (ms) => {
      const { clock, join, slow } = slowly(['write', 'answer', 'news'], ms)
      const one = join()
      await clock.advance(10)
      const { call } = scriptedProducer({ a: [refused, { value: 'served' }, refused] }, { clock })
      const waiting = one.guard.execute(call)
      await clock.advance(0)
      one.guard.auth.resolve('p')
      expect(await clock.run(waiting)).toBe('served')
      await clock.advance(3_600_000)
      slow()
      const late = join()
      let attempts = 0
      void late.guard.settle(() => {
        attempts += 1
        return Promise.reject(producedError('auth_required'))
      })
      await clock.advance(60_000)
      expect(attempts).toBe(1)
      expect(late.of('auth_resolved')).toEqual([])
      expect(prompts([one, late])).toMatchObject([{ generation: 0 }, { generation: 1, blocking: true }])
    },
  )
})

describe('whoever is to ask a human and dies before', () => {
  /** Two processes, after a third was refused and died before the store's answer came. */
  const afterDeath = async () => {
    const made = fleet({ maxPauseMs: 600_000 })
    const { clock, join, store } = made
    const members = [join(), join()]
    let isDead = false
    let leave: () => unknown = () => undefined
    const mortal: FakeClock = { ...clock, setTimeout: (ring, ms) => clock.setTimeout(() => isDead || ring(), ms) }
    const publish: typeof store.publish = async (entries) => {
      const answer = await store.publish(entries)
      return isDead ? new Promise(() => undefined) : answer
    }
    const connect: typeof store.connect = (listener) => {
      leave = store.connect(listener)
      return leave as () => void
    }
    const health = createHealth({ store: { ...store, publish, connect }, clock: mortal })
    await clock.advance(10)
    const { call } = scriptedProducer({ a: [refused, { value: 'served' }] }, { clock })
    void heed({ candidates: [A], clock: mortal, health }).settle(call)
    isDead = true
    leave()
    await clock.advance(10)
    return { ...made, members, call }
  }

  test('is stood in for by one in which a call waits, once', async () => {
    const { clock, join, members, call } = await afterDeath()
    const late = join()
    const all = [...members, late]
    const waiting = all.map(({ guard }) => guard.settle(call))
    await clock.advance(30_000)
    await clock.advance(30_000)
    expect(prompts(all)).toMatchObject([{ provider: 'p', candidate: 'a', generation: 0, blocking: true }])
    await clock.advance(120_000)
    expect(prompts(all)).toHaveLength(1)
    late.guard.auth.resolve('p')
    await clock.run(Promise.all(waiting))
  })

  test('is not stood in for where no call waits, nor after an answer', async () => {
    const { clock, members } = await afterDeath()
    await clock.advance(90_000)
    expect(prompts(members)).toEqual([])
    ;(members[0] as Member).guard.auth.decline('p')
    await clock.advance(90_000)
    expect(prompts(members)).toEqual([])
  })

  test('is not stood in for where it has asked, and only the word of it has not come', async () => {
    const made = fleet({ maxPauseMs: 600_000 }, { travel: (arrive) => void made.clock.setTimeout(arrive, 5) })
    const { clock, join, store } = made
    const members = [join(), join()]
    const [one, other] = members as [Member, Member]
    await clock.advance(1_000)
    const { call } = scriptedProducer({ a: [refused] }, { clock })
    void one.guard.settle(call)
    await clock.advance(11)
    const waiting = other.guard.settle(call)
    await clock.advance(1)
    expect(prompts(members)).toHaveLength(1)
    store.disconnect()
    await clock.advance(20_000)
    store.reconnect()
    await clock.advance(60_000)
    expect(prompts(members)).toHaveLength(1)
    one.guard.auth.decline('p')
    await clock.run(waiting)
  })

  /** A refusal, told by one who is not there any more. */
  const refusedFor = async (store: ReturnType<typeof fleet>['store'], untilMs: number, asked = {}) => {
    const { atMs } = await store.read()
    const mark = { setMs: atMs, untilMs: atMs + untilMs }
    await store.publish([{ ...NO_SHARE, group: 'p:p', marks: { 'k:': mark, blocked: mark, ...asked } }])
    return mark
  }

  test('is not stood in for by all where the store does not say who is first', async () => {
    let isSlow = false
    const made = fleet(
      { maxPauseMs: 600_000 },
      {
        travel: (arrive, what) => (isSlow && what === 'answer' ? void made.clock.setTimeout(arrive, 2_500) : arrive()),
      },
    )
    const { clock, join, store } = made
    const members = [join(), join(), join()]
    await clock.advance(10)
    await refusedFor(store, 1e9)
    await clock.advance(10)
    const { call } = scriptedProducer({ a: [refused] }, { clock })
    const waiting = members.map(({ guard }) => guard.settle(call))
    isSlow = true
    await clock.advance(60_000)
    expect(prompts(members)).toEqual([])
    isSlow = false
    await clock.advance(60_000)
    expect(prompts(members)).toHaveLength(1)
    ;(members[0] as Member).guard.auth.decline('p')
    await clock.run(Promise.all(waiting))
  })

  test('is stood in for though a human was asked of what has passed', async () => {
    const { clock, join, store } = fleet({ maxPauseMs: 600_000 })
    const one = join()
    await clock.advance(10)
    const old = await refusedFor(store, 1_000)
    await refusedFor(store, 1_000, { asked: old })
    await clock.advance(60_000)
    await refusedFor(store, 1e9)
    await clock.advance(10)
    const { call } = scriptedProducer({ a: [refused] }, { clock })
    const waiting = one.guard.settle(call)
    await clock.advance(60_000)
    expect(prompts([one])).toHaveLength(1)
    one.guard.auth.decline('p')
    await clock.run(waiting)
  })
})
