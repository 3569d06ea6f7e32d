import { type Candidate, createHealth, type Health, type HealthEventName, heed } from 'heed'
import { fakeClock, producedError, scriptedProducer } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { A, B, EVENT_NAMES, scene } from '../shell/scene.ts'

const clock = fakeClock()

const served = (health: Health) => heed({ candidates: [A], health, clock }).execute(() => 'x')

describe('subscribing', () => {
  test('on hears every event until it is stopped, by what it answered or by off', async () => {
    const health = createHealth()
    const heard: string[] = []
    const one = (): unknown => heard.push('one')
    const two = (): unknown => heard.push('two')
    const stop = health.on('success', one)
    health.on('success', two)
    await served(health)
    expect(heard).toEqual(['one', 'two'])
    stop()
    await served(health)
    health.off('success', two)
    await served(health)
    expect(heard).toEqual(['one', 'two', 'two'])
  })

  test('once hears the next alone', async () => {
    const health = createHealth()
    let heard = 0
    health.once('success', () => {
      heard += 1
    })
    await served(health)
    await served(health)
    expect(heard).toBe(1)
  })

  test('once can be stopped before it hears anything, both ways', async () => {
    const health = createHealth()
    let heard = 0
    const listener = (): void => {
      heard += 1
    }
    health.once('success', listener)()
    health.once('success', listener)
    health.off('success', listener)
    await served(health)
    expect(heard).toBe(0)
  })

  test('off of a listener that never listened changes nothing', () => {
    const health = createHealth()
    expect(() => health.off('success', () => undefined)).not.toThrow()
  })

  test.each(['sucess', '', 'constructor', '__proto__', 'toString', '*'])(
    'the name "%s" is refused, with the names there are',
    (name) => {
      const health = createHealth()
      expect(() => health.on(name as HealthEventName, () => undefined)).toThrow(/attempt, failure, retry/)
      expect(() => health.once(name as HealthEventName, () => undefined)).toThrow(TypeError)
      expect(() => health.off(name as HealthEventName, () => undefined)).not.toThrow(/undefined is not/)
    },
  )

  test.each([undefined, null, 'listener', {}])('a listener that is %s is refused', (listener) => {
    expect(() => createHealth().on('success', listener as never)).toThrow(/success/)
  })

  test('a listener that stops itself or another while it hears disturbs nobody', async () => {
    const health = createHealth()
    const heard: string[] = []
    const stop = health.on('success', () => {
      heard.push('one')
      stop()
    })
    health.on('success', () => heard.push('two'))
    await served(health)
    await served(health)
    expect(heard).toEqual(['one', 'two', 'two'])
  })

  test('events raised by a listener follow after all have heard the one before', async () => {
    const health = createHealth({ clock })
    const heard: string[] = []
    health.on('success', () => {
      if (heard.length === 0) health.revive('a')
      if (heard.length === 0) heed({ candidates: [A], health, clock }).auth.decline('p')
      heard.push('success one')
    })
    health.on('success', () => heard.push('success two'))
    health.on('auth_resolved', () => heard.push('declined'))
    await served(health)
    expect(heard).toEqual(['success one', 'success two', 'declined'])
  })
})

describe('listeners that misbehave', () => {
  const misbehave: readonly (readonly [string, () => unknown])[] = [
    [
      'throws',
      () => {
        throw new Error('the listener')
      },
    ],
    [
      'throws nothing',
      () => {
        throw undefined
      },
    ],
    ['rejects', () => Promise.reject(new Error('the listener'))],
    ['hangs', () => new Promise(() => undefined)],
    [
      'answers a thenable that throws',
      () => ({
        // biome-ignore lint/suspicious/noThenProperty: that is the point
        then: () => {
          throw new Error('the listener')
        },
      }),
    ],
  ]

  test.each(misbehave)('one that %s changes nothing and stops no other', async (name, listener) => {
    const told = scene({ candidates: [A, B] })
    for (const event of EVENT_NAMES) told.guard.health.on(event, listener)
    const late: string[] = []
    told.guard.health.on('success', () => late.push('heard'))
    const { call } = scriptedProducer(
      { a: [{ error: producedError('transient') }, { error: producedError('permanent') }] },
      told,
    )
    expect(await told.clock.run(told.guard.execute(call))).toBe('b')
    expect(late).toEqual(['heard'])
    const quiet = name === 'hangs'
    expect(told.of('listener_fault').length > 0).toBe(!quiet)
    const calls = told.names().filter((each) => each !== 'listener_fault')
    expect(calls).toEqual(['attempt', 'failure', 'retry', 'attempt', 'failure', 'advance', 'attempt', 'success'])
  })

  test('an event cannot be changed', async () => {
    const told = scene({ candidates: [A] })
    const faults: unknown[] = []
    told.guard.health.on('success', (event) => {
      try {
        Object.assign(event, { candidate: 'mine' })
      } catch (error) {
        faults.push(error)
      }
    })
    await told.guard.execute(() => 'x')
    expect(faults).toHaveLength(1)
    expect(told.of('success')).toMatchObject([{ candidate: 'a' }])
  })

  test('no event hands out anything that, changed in depth, changes a call', async () => {
    /** Runs the same calls, with or without somebody who overwrites all that events hold. */
    const run = async (vandal: boolean) => {
      const told = scene<Candidate>({ candidates: [A, B], attempts: { perTarget: 2 } })
      const names: HealthEventName[] = [...EVENT_NAMES, 'decision']
      if (vandal) for (const name of names) told.guard.health.on(name, (event) => void overwritten(event, new Set()))
      const { call, invocations } = scriptedProducer(
        {
          a: [{ error: producedError('transient', { retryAfterSecs: 3 }) }, { error: producedError('permanent') }],
          b: [{ error: producedError('transient', { retryAfterSecs: 4 }) }, { value: 'b' }],
        },
        told,
      )
      const values = [await told.clock.run(told.guard.settle(call)), await told.clock.run(told.guard.settle(call))]
      return {
        values: values.map(({ status }) => status),
        asked: invocations.map(({ candidate, at }) => [candidate, at]),
      }
    }
    expect(await run(true)).toEqual(await run(false))
  })
})

/** Overwrites what it can reach: numbers become 0, texts empty, flags turn, records lose their fields. */
function overwritten(value: unknown, seen: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  for (const key of Object.keys(value)) {
    const fields = value as Record<string, unknown>
    const old = fields[key]
    overwritten(old, seen)
    const next = typeof old === 'number' ? 0 : typeof old === 'boolean' ? !old : typeof old === 'string' ? '' : old
    try {
      if (next !== old) fields[key] = next
      else if (Object.keys(old ?? {}).length === 0) delete fields[key]
    } catch {
      // Frozen: as it should be.
    }
  }
}
