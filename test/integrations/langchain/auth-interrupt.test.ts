import { MemorySaver } from '@langchain/langgraph'
import { describe, expect, test } from 'vitest'
import { heedErrorIn } from '../kit/table.ts'
import { heard, rejection } from './scene.ts'
import { again, askedFor, textOf, withKeys } from './sign-in-desk.ts'

describe("onAuthRequired: 'interrupt'", () => {
  test('asks through the graph, names no secret, and goes on once it is resumed', async () => {
    await withKeys({ a: 'new', b: 'old' }, async (made, counts) => {
      const desk = made()
      const attempts = heard(desk.middleware, 'attempt')
      const paused = await desk.ask('t')
      expect(askedFor(paused)).toEqual([{ type: 'auth_required', provider: 'one', refused: [] }])
      expect(JSON.stringify(paused)).not.toContain('sk-PLACEHOLDER')
      expect(counts()).toEqual([1, 0])
      desk.keys.a = 'new'
      expect(textOf(await desk.ask('t', again(true)))).toBe('from a')
      expect(counts()).toEqual([2, 0])
      expect(attempts).toHaveLength(2)
      expect(desk.middleware.auth.pending()).toEqual([])
    })
  })

  test('asks again as long as the renewed credential is refused, one attempt for each answer', async () => {
    await withKeys({ a: 'third', b: 'old' }, async (made, counts) => {
      const desk = made()
      for (const key of ['first', 'second', 'third']) {
        expect(askedFor(await desk.ask('t', key === 'first' ? undefined : again('done')))).toHaveLength(1)
        desk.keys.a = key
      }
      expect(counts()).toEqual([3, 0])
      expect(textOf(await desk.ask('t', again('done')))).toBe('from a')
      expect(counts()).toEqual([4, 0])
    })
  })

  test('a no goes to the next provider, and an answer given for one is never taken for another', async () => {
    await withKeys({ a: 'new', b: 'new' }, async (made, counts) => {
      const desk = made()
      const answered = heard(desk.middleware, 'auth_resolved')
      expect(askedFor(await desk.ask('t'))).toMatchObject([{ provider: 'one' }])
      expect(askedFor(await desk.ask('t', again({ declined: true, reason: 'on leave' })))).toMatchObject([
        { provider: 'two' },
      ])
      expect(counts()).toEqual([1, 1])
      desk.keys.b = 'new'
      expect(textOf(await desk.ask('t', again(true)))).toBe('from b')
      expect(counts()).toEqual([1, 2])
      expect(answered.map(({ provider, outcome, reason }) => [provider, outcome, reason])).toEqual([
        ['one', 'declined', 'on leave'],
        ['two', 'resolved', undefined],
      ])
    })
  })

  test('a no with nobody else to ask surfaces', async () => {
    await withKeys({ a: 'new', b: 'old' }, async (made) => {
      const desk = made({ fallbacks: [] })
      await desk.ask('t')
      expect(heedErrorIn(await rejection(desk.ask('t', again({ declined: true }))))).toMatchObject({
        class: 'auth_required',
      })
      // It stays declined: the next call of the agent is not asked again.
      expect(heedErrorIn(await rejection(desk.ask('u')))).toMatchObject({ class: 'auth_required' })
    })
  })

  test('a thread that waits does not block another, whose own interrupt comes without a request', async () => {
    await withKeys({ a: 'new', b: 'old' }, async (made, counts) => {
      const desk = made()
      expect(askedFor(await desk.ask('t'))).toHaveLength(1)
      expect(askedFor(await desk.ask('u'))).toHaveLength(1)
      expect(counts()).toEqual([1, 0])
      desk.keys.a = 'new'
      expect(textOf(await desk.ask('t', again(true)))).toBe('from a')
      expect(textOf(await desk.ask('u', again(true)))).toBe('from a')
      expect(counts()).toEqual([3, 0])
    })
  })

  test('an operator who resolves the provider meanwhile is as good as the answer', async () => {
    await withKeys({ a: 'new', b: 'old' }, async (made, counts) => {
      const desk = made()
      await desk.ask('t')
      desk.keys.a = 'new'
      desk.middleware.auth.resolve('one')
      expect(textOf(await desk.ask('t', again(true)))).toBe('from a')
      expect(counts()).toEqual([2, 0])
    })
  })

  test('another process, which remembers no mark, takes the answer and goes on', async () => {
    await withKeys({ a: 'new', b: 'old' }, async (made, counts) => {
      const saver = new MemorySaver()
      expect(askedFor(await made({}, saver).ask('t'))).toHaveLength(1)
      const later = made({}, saver)
      // It is asked a second time, for there the first answer, given again, has been used up by a key still refused.
      expect(askedFor(await later.ask('t', again(true)))).toHaveLength(1)
      later.keys.a = 'new'
      expect(textOf(await made({}, saver).ask('t', again(true)))).toBe('from a')
      expect(counts()).toEqual([4, 0])
    })
  })

  test('a strategy that would pause surfaces to the graph, one that goes on does', async () => {
    await withKeys({ a: 'new', b: 'old' }, async (made, counts) => {
      const desk = made({ auth: ({ otherProviderEligible }) => (otherProviderEligible ? 'advance' : 'pause') })
      expect(textOf(await desk.ask('t'))).toBe('from b')
      expect(counts()).toEqual([1, 1])
    })
  })
})
