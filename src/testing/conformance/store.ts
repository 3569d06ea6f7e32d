import { LINGER_MS } from '../../core/share.ts'
import type { StoreTransport } from '../../health/store.ts'
import { check, show } from './check.ts'
import { processOf } from './store-process.ts'
import { entryOf, first, has, type Setting, same } from './store-setting.ts'

/** One rule of a store, to run under any test runner that awaits. */
export interface StoreConformanceCase {
  /** The rule, as a sentence about the store. */
  readonly name: string
  /**
   * Asks the store.
   *
   * @throws Error saying what was written, what the store told and what it must tell.
   */
  readonly run: () => Promise<void>
}

/**
 * The rules of a shared store.
 *
 * @param open - Makes a store object as another process would, each time, over the same shared place. Groups have new
 * names in each case, so nothing need be emptied.
 */
export function storeConformance(
  open: () => StoreTransport | Promise<StoreTransport>,
): readonly StoreConformanceCase[] {
  const rule = (name: string, body: (setting: Setting) => Promise<void>): StoreConformanceCase => ({
    name,
    run: async () => {
      const [one, other] = [processOf(await open()), processOf(await open())]
      try {
        await Promise.all([one.synced, other.synced])
        const group = `h:conformance/${crypto.randomUUID()}`
        const atMs = Math.floor(await one.now())
        await body({ group, one, other, atMs, entry: (marks, more) => entryOf(group, atMs, marks, more) })
      } finally {
        await Promise.all([one.close(), other.close()])
      }
    },
  })

  return [
    rule('tells every process of a change, as it was made', async ({ one, other, group, entry }) => {
      const made = entry({ 'k:': [60_000, 0], 'k:b': [5_000, -10] })
      await one.publish(made)
      for (const process of [one, other]) same(await process.until(group, () => true), made)
    }),
    rule('tells a process that comes later all that it holds', async ({ one, group, entry }) => {
      const made = [entry({ 'k:a': [60_000, 0] }), { ...entry({ 'k:b': [50_000, 0] }), group: `${group}/2` }]
      await one.publish(...made)
      const late = processOf(await open())
      try {
        await late.synced
        for (const each of made) same(await late.until(each.group, () => true), each)
      } finally {
        await late.close()
      }
    }),
    rule('shows a clock that goes on', async ({ one, other, atMs, entry }) => {
      const { atMs: thenMs } = await one.publish(entry({ 'k:': [60_000, 0] }))
      const nowMs = await other.now()
      check(atMs > 0 && atMs <= thenMs && thenMs <= nowMs, () => `the clock showed ${show([atMs, thenMs, nowMs])}`)
    }),
    rule('keeps the later of two ends and of two settings, in whichever order they come', async (setting) => {
      const { one, other, group, entry } = setting
      await one.publish(entry({ 'k:': [60_000, 1] }))
      await other.publish(entry({ 'k:': [1_000, 2] }))
      same(await one.until(group, has('k:', 2, setting)), entry({ 'k:': [60_000, 2] }))
      await other.publish(entry({ 'k:': [90_000, 1] }))
      same(await one.until(group, ({ lastMs }) => lastMs > setting.atMs + 60_000), entry({ 'k:': [90_000, 2] }))
    }),
    rule('ends what was set until then, and nothing that was set since', async (setting) => {
      const { one, other, group, atMs, entry } = setting
      await one.publish(entry({ old: [60_000, 1], since: [60_000, 3] }))
      await other.publish(entry({}, { sinceMs: atMs + 2 }))
      same(await one.until(group, ({ sinceMs }) => sinceMs > 0), entry({ since: [60_000, 3] }, { sinceMs: atMs + 2 }))
      await one.publish(entry({ older: [90_000, 2], newer: [60_000, 3] }))
      same(
        await other.until(group, ({ marks }) => marks['newer'] !== undefined),
        entry({ since: [60_000, 3], newer: [60_000, 3] }, { sinceMs: atMs + 2, lastMs: atMs + 90_000 }),
      )
    }),
    rule('makes a change once, however often and late it is made', async ({ one, other, group, atMs, entry }) => {
      const ends = entry({}, { sinceMs: atMs + 1 })
      await one.publish(ends)
      await other.publish(entry({ 'k:': [60_000, 2] }))
      await one.publish(ends)
      await one.publish(entry({ 'k:b': [60_000, 2] }))
      same(
        await other.until(group, ({ marks }) => marks['k:b'] !== undefined),
        entry({ 'k:': [60_000, 2], 'k:b': [60_000, 2] }, { sinceMs: atMs + 1 }),
      )
    }),
    rule('drops what is of an older generation and lets a newer one replace all', async (setting) => {
      const { one, other, group, entry } = setting
      await one.publish(entry({ old: [60_000, 0] }, { generation: 2 }))
      await other.publish(entry({ older: [60_000, 0] }, { generation: 1 }))
      await other.publish(entry({ more: [60_000, 0] }, { generation: 2 }))
      same(
        await one.until(group, ({ marks }) => marks['more'] !== undefined),
        entry({ old: [60_000, 0], more: [60_000, 0] }, { generation: 2 }),
      )
      await other.publish(entry({ fresh: [60_000, 0] }, { generation: 3 }))
      same(
        await one.until(group, ({ generation }) => generation === 3),
        entry({ fresh: [60_000, 0] }, { generation: 3 }),
      )
    }),
    rule('raises the generation for an answer that came after all its marks, and for no other', async (setting) => {
      const { one, other, group, atMs, entry } = setting
      await one.publish(entry({ blocked: [60_000, 2] }, { generation: 4 }))
      await other.publish(entry({}, { generation: 1, sinceMs: atMs + 1 }))
      same(
        await one.until(group, ({ sinceMs }) => sinceMs > 0),
        entry({ blocked: [60_000, 2] }, { generation: 4, sinceMs: atMs + 1 }),
      )
      await other.publish(entry({}, { generation: 1, sinceMs: atMs + 3 }))
      same(
        await one.until(group, ({ generation }) => generation > 4),
        entry({}, { generation: 5, sinceMs: atMs + 3, lastMs: atMs + 60_000 }),
      )
    }),
    rule('tells exactly one of many who write at once that it was first', async ({ one, other, entry }) => {
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, place) =>
          (place % 2 === 0 ? one : other).publish(entry({ [`k:${place}`]: [60_000, 0] })),
        ),
      )
      const firsts = answers.flatMap((answer) => answer.firsts).filter((first) => first).length
      check(firsts === 1, () => `${firsts} of 40 were told that they were first; tell one`)
    }),
    rule('takes a mark that has passed for none, and tells it all the same', async (setting) => {
      const { one, other, group, entry } = setting
      await one.publish(entry({ 'k:': [-5_000, -6_000] }))
      same(await other.until(group, () => true), entry({ 'k:': [-5_000, -6_000] }))
      first(await other.publish(entry({ 'k:': [60_000, 0] })), true, 'the first mark that has not passed')
      first(await one.publish(entry({ 'k:': [70_000, 0] })), false, 'a longer time for a mark that is there')
    }),
    rule('starts anew where all was ended, and with a generation', async ({ one, other, atMs, entry }) => {
      await one.publish(entry({ 'k:': [60_000, 1] }))
      await other.publish(entry({}, { sinceMs: atMs + 2 }))
      first(await one.publish(entry({ 'k:': [60_000, 3] })), true, 'the first mark after an end')
      first(await one.publish(entry({ 'k:': [60_000, 3] }, { generation: 1 })), true, 'the first of a generation')
    }),
    rule('makes all changes of one publication, and answers for each', async ({ one, other, group, entry }) => {
      const { firsts } = await one.publish(
        entry({ a: [60_000, 0] }),
        { ...entry({ b: [60_000, 0] }), group: `${group}/2` },
        entry({ c: [60_000, 0] }),
      )
      check(show(firsts) === '[true,true,false]', () => `three changes were answered ${show(firsts)}`)
      same(await other.until(group, ({ marks }) => marks['c'] !== undefined), entry({ a: [60_000, 0], c: [60_000, 0] }))
    }),
    rule('forgets what is long over, and nothing before', async ({ one, other, atMs, group, entry }) => {
      await one.publish(entry({ 'k:': [-LINGER_MS - 5, -LINGER_MS - 6] }), {
        ...entry({ 'k:': [60_000 - LINGER_MS, -LINGER_MS] }),
        group: `${group}/kept`,
      })
      await other.publish({ ...entry({ 'k:': [1, 0] }), group: `${group}/more` })
      const late = processOf(await open())
      try {
        await late.synced
        await late.until(`${group}/kept`, ({ lastMs }) => lastMs === atMs + 60_000 - LINGER_MS)
        check(!late.heard(group), () => 'what is over is still held')
      } finally {
        await late.close()
      }
    }),
    rule('keeps odd names as they are', async ({ one, other, group, entry }) => {
      const names = ['k:"', 'k:\\', 'k:\n', 'k:é字\u{1F9EA}', 'k:{x}', 'k:__proto__', `k:${'x'.repeat(1_000)}`]
      const odd = {
        ...entry(Object.fromEntries(names.map((name) => [name, [60_000, 0]]))),
        group: `${group} "{odd}" 字`,
      }
      await one.publish(odd)
      same(await other.until(odd.group, () => true), odd)
    }),
    rule('keeps long times', async ({ one, other, group, entry }) => {
      await one.publish(entry({ 'k:': [1e11, 0] }))
      same(await other.until(group, () => true), entry({ 'k:': [1e11, 0] }))
    }),
    rule('tells nothing any more after closing', async ({ one, other, group, entry }) => {
      await other.close()
      await one.publish(entry({ 'k:': [60_000, 0] }))
      await one.until(group, () => true)
      check(!other.heard(group), () => 'a closed listener was told of a change')
    }),
  ]
}
