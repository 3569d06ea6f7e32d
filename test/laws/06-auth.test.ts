import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answers, chain, failing, guardOver, said, scenarioOf, someMs } from './support/arbitraries.ts'
import { AuthModel } from './support/auth-model.ts'
import { withHeardFailures } from './support/calls-of.ts'
import { drive } from './support/drive.ts'
import { law } from './support/law.ts'
import { entries, events } from './support/log.ts'
import type { CallSpec, Scenario, Step } from './support/scenario.ts'

/** Mostly refusals, at few providers, with humans who answer. */
const refusals: fc.Arbitrary<Scenario> = fc
  .tuple(
    scenarioOf({
      guard: guardOver(chain.map((candidates) => candidates.slice(0, 3))),
      steps: failing(
        fc.oneof(
          { weight: 3, arbitrary: fc.record({ class: fc.constantFrom('auth_required', 'auth') }) },
          { weight: 1, arbitrary: said },
        ),
      ),
    }),
    answers,
    fc.array(someMs, { maxLength: 3 }),
  )
  .map(([drawn, more, resolvedAt]) => ({
    ...drawn,
    answers: [
      ...drawn.answers,
      ...more,
      ...resolvedAt.map((atMs) => ({
        atMs,
        does: 'resolve' as const,
        name: drawn.guards[0]?.candidates[0]?.provider ?? '',
      })),
    ],
  }))

law('6 Auth is provider-wide and single: while blocked nobody reaches the provider, and one prompt is made', {
  given: refusals,
  holds: async (given, see) => {
    const { log } = await drive(given)
    const model = new AuthModel(given)
    const due: unknown[] = []
    const prompts: unknown[] = []
    for (const entry of withHeardFailures(log)) {
      if (entry.type === 'answers') model.answers(entry.answer)
      if (entry.type === 'invoked') {
        const { blocked, declined, refused } = model.provider(entry.provider)
        expect({ entry, blocked, declined, refused: refused.has(entry.credential ?? '') }).toEqual({
          entry,
          blocked: false,
          declined: false,
          refused: false,
        })
        if (refused.size > 0) see('another credential served')
        model.starts(entry)
      }
      if (entry.type === 'heard') {
        const { provider, candidate, credential } = entry.invoked
        const heard = model.hears(entry)
        const { generation, blocked } = model.provider(provider)
        if (heard !== undefined) see(heard)
        if (blocked) see('blocked')
        if (heard !== 'first') continue
        const refused = credential === undefined ? [] : [credential]
        due.push({ provider, candidate, generation, refused, blocking: blocked, at: entry.at })
      }
      if (entry.type === 'event' && entry.name === 'auth_prompt') {
        const { provider, candidate, generation, refused, blocking, at } = entry.event
        prompts.push({ provider, candidate, generation, refused, blocking, at })
        if (generation > 0) see('prompted again')
      }
    }
    expect(prompts).toEqual(due)
  },
  mustSee: ['blocked', 'first', 'further', 'late', 'declined', 'another credential served', 'prompted again'],
})

interface Waiting {
  readonly callId: string
  readonly provider: string
}

/** Calls that waited together for an answer, and when each went on. */
interface Resolution {
  readonly at: number
  readonly endedAt: number[]
}

law('6 Auth is provider-wide and single: all that wait resume within a second of the answer, one of them at once', {
  given: refusals,
  holds: async (given, see) => {
    const { log } = await drive(given)
    const waiting = new Map<string, Waiting>()
    const resolved = new Map<Waiting, Resolution>()
    for (const entry of log) {
      if (entry.type === 'answers' && entry.answer.does === 'resolve') {
        const asked = [...waiting.values()].filter((each) => each.provider === entry.answer.name && !resolved.has(each))
        const resolution: Resolution = { at: entry.at, endedAt: [] }
        for (const each of asked) resolved.set(each, resolution)
        if (asked.length > 1) see('several wait')
      }
      if (entry.type !== 'event') continue
      if (entry.name === 'pause') waiting.set(entry.event.callId, entry.event)
      if (entry.name !== 'resume' && entry.name !== 'surface') continue
      const ended = waiting.get(entry.event.callId)
      if (ended === undefined) continue
      waiting.delete(ended.callId)
      const resolution = resolved.get(ended)
      if (resolution === undefined) continue
      resolution.endedAt.push(entry.at)
      expect(entry.at - resolution.at).toBeLessThanOrEqual(1_000)
      if (entry.name === 'resume') {
        see('resumed')
        // A no may follow while the calls behind the first still hold back.
        expect(entry.event.outcome).toBe('resolved')
      }
    }
    expect([...waiting.values()]).toEqual([])
    for (const { at, endedAt } of resolved.values()) expect(endedAt[0]).toBe(at)
  },
  mustSee: ['resumed', 'several wait'],
})

test('6 Auth is provider-wide and single: 1,000 waiting calls make one prompt, and all resume', async () => {
  const candidates = [
    { id: 'first', provider: 'acme', credentials: ['key 0', 'key 1'] },
    { id: 'second', provider: 'acme', credentials: ['key 0', 'key 1'] },
    { id: 'third', provider: 'globex' },
  ]
  const refused: Step = { does: 'fail', afterMs: 10, said: { class: 'auth_required' } }
  // The first hundred are refused themselves, all at the same time; the others find the provider blocked.
  const calls = Array.from(
    { length: 1_000 },
    (_, index): CallSpec => ({
      guard: 0,
      startMs: index < 100 ? 0 : 50,
      via: 'settle',
      steps: index < 100 ? [refused, refused] : [],
    }),
  )
  const { log } = await drive(
    {
      guards: [{ candidates, options: {}, auth: 'pause', backoffMs: 'default' }],
      calls,
      answers: [{ atMs: 2_000, does: 'resolve', name: 'acme' }],
      random: { always: 0 },
    },
    { events: ['auth_prompt', 'auth_resolved', 'pause', 'resume'] },
  )
  expect(events(log, 'auth_prompt')).toHaveLength(1)
  expect(events(log, 'pause')).toHaveLength(1_000)
  expect(events(log, 'auth_resolved')).toMatchObject([{ outcome: 'resolved', waiting: 1_000 }])
  expect(events(log, 'resume').map(({ outcome }) => outcome)).toEqual(calls.map(() => 'resolved'))
  expect(entries(log, 'settled').filter(({ ok }) => ok)).toHaveLength(1_000)
  const after = entries(log, 'invoked').filter(({ at }) => at >= 50)
  expect(after).toHaveLength(1_000)
  expect(after[0]?.at).toBe(2_000)
  // One goes first; the rest are spread, never two at the same time.
  expect(new Set(after.map(({ at }) => at)).size).toBe(1_000)
  for (const { at, provider } of after) {
    expect(provider).toBe('acme')
    expect(at).toBeLessThanOrEqual(3_000)
  }
})
