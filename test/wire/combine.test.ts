import { type Classification, heed } from 'heed'
import { fakeClock } from 'heed/testing'
import { describe, expect, test } from 'vitest'

type Wire = { readonly class?: string; readonly retry_after_secs?: unknown; readonly exhausted?: boolean }
type Heard = { class?: string; retryAfterSecs?: number; ambiguous?: true; exhausted?: true }
type Row = readonly [name: string, wire: Wire, adapter: Classification | undefined, heard: Heard]

const of = (errorClass: string | undefined, more: Omit<Classification, 'class'> = {}): Classification => ({
  class: errorClass,
  ...more,
})

const ROWS: readonly Row[] = [
  ['nobody says anything', {}, undefined, {}],
  ['an adapter without a class', {}, of(undefined), {}],
  ['the wire alone', { class: 'transient' }, undefined, { class: 'transient' }],
  ['the adapter alone', {}, of('permanent'), { class: 'permanent' }],
  ['a known class on the wire beats the adapter', { class: 'transient' }, of('permanent'), { class: 'transient' }],
  ['auth on the wire is known', { class: 'auth' }, of('permanent'), { class: 'auth_required' }],
  ['auth from the adapter is the same', {}, of('auth'), { class: 'auth_required' }],
  ['the adapter beats an unknown string', { class: 'quota' }, of('transient'), { class: 'transient' }],
  ['even with another unknown string', { class: 'quota' }, of('billing'), { class: 'billing' }],
  ['an adapter without a class leaves an unknown string', { class: 'quota' }, of(undefined), { class: 'quota' }],
  ['an unknown string alone', { class: 'quota' }, undefined, { class: 'quota' }],
  ['an unknown string from the adapter', {}, of('billing'), { class: 'billing' }],
  ['a known class on the wire beats an unknown string', { class: 'permanent' }, of('billing'), { class: 'permanent' }],
  [
    'ambiguous is taken beside a known wire',
    { class: 'transient' },
    of(undefined, { ambiguous: true }),
    {
      class: 'transient',
      ambiguous: true,
    },
  ],
  [
    'and beside another class',
    { class: 'transient' },
    of('permanent', { ambiguous: true }),
    {
      class: 'transient',
      ambiguous: true,
    },
  ],
  ['and beside no class', {}, of(undefined, { ambiguous: true }), { ambiguous: true }],
  ['ambiguous false says nothing', {}, of('transient', { ambiguous: false }), { class: 'transient' }],
  [
    "the wire's hint beats the adapter's",
    { class: 'transient', retry_after_secs: 2 },
    of('transient', { retryAfterSecs: 9 }),
    {
      class: 'transient',
      retryAfterSecs: 2,
    },
  ],
  [
    'a hint of 0 is a hint',
    { class: 'transient', retry_after_secs: 0 },
    of('transient', { retryAfterSecs: 9 }),
    {
      class: 'transient',
      retryAfterSecs: 0,
    },
  ],
  [
    "the adapter's hint where the wire has none",
    { class: 'transient' },
    of('permanent', { retryAfterSecs: 9 }),
    {
      class: 'transient',
      retryAfterSecs: 9,
    },
  ],
  [
    "the adapter's hint where the wire's is malformed",
    { class: 'transient', retry_after_secs: -1 },
    of('transient', { retryAfterSecs: 9 }),
    {
      class: 'transient',
      retryAfterSecs: 9,
    },
  ],
  [
    "the adapter's hint beside an unknown wire",
    { class: 'quota' },
    of('transient', { retryAfterSecs: 9 }),
    {
      class: 'transient',
      retryAfterSecs: 9,
    },
  ],
  [
    'exhausted from the wire',
    { class: 'transient', exhausted: true },
    of('transient'),
    {
      class: 'transient',
      exhausted: true,
    },
  ],
  [
    'exhausted from the adapter',
    { class: 'transient' },
    of('transient', { exhausted: true }),
    {
      class: 'transient',
      exhausted: true,
    },
  ],
]

async function heardOf(wire: Wire, adapter: Classification | undefined): Promise<Heard> {
  const clock = fakeClock()
  const guard = heed({
    candidates: [{ id: 'a', provider: 'p' }],
    producer: { classify: () => adapter },
    auth: () => 'surface',
    maxWaitMs: 0,
    backoff: () => 1,
    clock,
  })
  let heard: Heard = {}
  guard.health.once('failure', ({ class: stated, retryAfterSecs, ambiguous, exhausted }) => {
    heard = {
      ...(stated === undefined ? {} : { class: stated }),
      ...(retryAfterSecs === undefined ? {} : { retryAfterSecs }),
      ...(ambiguous === undefined ? {} : { ambiguous }),
      ...(exhausted === undefined ? {} : { exhausted }),
    }
  })
  await clock.run(
    guard.settle(() => {
      throw Object.assign(new Error('x'), wire)
    }),
  )
  return heard
}

describe('the wire and an adapter together', () => {
  test.each(ROWS)('%s', async (_name, wire, adapter, heard) => {
    expect(await heardOf(wire, adapter)).toEqual(heard)
  })

  test("the adapter's scope widens a permanent from the wire to the provider", async () => {
    const clock = fakeClock()
    const guard = heed({
      candidates: [
        { id: 'a', provider: 'p' },
        { id: 'b', provider: 'p' },
        { id: 'c', provider: 'q' },
      ],
      producer: { classify: () => ({ class: undefined, scope: 'provider' }) },
      clock,
    })
    const asked: string[] = []
    const value = await guard.execute(({ candidate }) => {
      asked.push(candidate.id)
      if (candidate.id === 'c') return 'c'
      throw Object.assign(new Error('x'), { class: 'permanent' })
    })
    expect(value).toBe('c')
    expect(asked).toEqual(['a', 'c'])
  })

  test.each([
    ['a string', 'transient'],
    ['a number', 5],
    ['a class that is no string', { class: 5 }],
    ['a function', () => ({ class: 'transient' })],
  ])('an adapter that answers %s is reported and invents nothing', async (_name, answer) => {
    const guard = heed({
      candidates: [{ id: 'a', provider: 'p' }],
      producer: { classify: () => answer as never },
      clock: fakeClock(),
    })
    const faults: string[] = []
    guard.health.on('malformed', ({ source, field, fault }) => faults.push(`${source} ${field} ${fault}`))
    const error = new Error('x')
    await expect(guard.execute(() => Promise.reject(error))).rejects.toBe(error)
    expect(faults).toEqual(['producer classify wrong_type'])
  })

  test('an adapter that throws is reported, and the wire still counts', async () => {
    const guard = heed({
      candidates: [
        { id: 'a', provider: 'p' },
        { id: 'b', provider: 'p' },
      ],
      producer: {
        classify: () => {
          throw new Error('the adapter')
        },
      },
      clock: fakeClock(),
    })
    const faults: string[] = []
    guard.health.on('malformed', ({ source, field, fault }) => faults.push(`${source} ${field} ${fault}`))
    const value = await guard.execute(({ candidate }) => {
      if (candidate.id === 'b') return 'b'
      throw Object.assign(new Error('x'), { class: 'permanent' })
    })
    expect(value).toBe('b')
    expect(faults).toEqual(['producer classify threw'])
  })

  test("a candidate's own producer is asked instead of the guard's", async () => {
    const asked: string[] = []
    const producer = (name: string) => ({
      classify: (): Classification => {
        asked.push(name)
        return { class: 'permanent' }
      },
    })
    const guard = heed({
      candidates: [
        { id: 'a', provider: 'p', producer: producer('own') },
        { id: 'b', provider: 'p' },
      ],
      producer: producer('guard'),
      clock: fakeClock(),
    })
    await guard.settle(() => Promise.reject(new Error('x')))
    expect(asked).toEqual(['own', 'guard'])
  })
})
