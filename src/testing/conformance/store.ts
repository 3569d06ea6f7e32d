import type { StoreEntry, StoreTransport, StoreWrite } from '../../health/store.ts'
import { check, show } from './check.ts'
import { type Process, processOf } from './store-process.ts'

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

const HOUR_MS = 3_600_000

const write = (group: string, ms: Readonly<Record<string, number>>, more: Partial<StoreWrite> = {}): StoreWrite => ({
  group,
  generation: null,
  marks: ms,
  keepMs: HOUR_MS,
  by: 'someone',
  ...more,
})

/**
 * The rules of a shared store.
 *
 * @param open - Makes a store object as another process would, each time, over the same shared place. Groups have new
 * names in each case, so nothing need be emptied.
 */
export function storeConformance(
  open: () => StoreTransport | Promise<StoreTransport>,
): readonly StoreConformanceCase[] {
  const rule = (
    name: string,
    body: (group: string, one: Process, other: Process) => Promise<void>,
  ): StoreConformanceCase => ({
    name,
    run: async () => {
      const [one, other] = [processOf(await open()), processOf(await open())]
      try {
        await Promise.all([one.synced, other.synced])
        await body(`h:conformance/${crypto.randomUUID()}`, one, other)
      } finally {
        await Promise.all([one.close(), other.close()])
      }
    },
  })

  return [
    rule('tells every process of a change, and who set each mark', async (group, one, other) => {
      await one.publish(write(group, { 'k:': 60_000, 'k:a': 60_000 }, { by: 'one' }))
      await other.publish(write(group, { 'k:': 50_000, 'k:a': 90_000, 'k:b': 1_000 }, { by: 'other' }))
      for (const process of [one, other]) {
        const entry = await process.until(group, ({ marks }) => marks['k:b'] !== undefined)
        const told = show(['k:', 'k:a', 'k:b'].map((name) => entry.by?.[name]))
        check(told === show(['one', 'other', 'other']), () => `by is ${told}; tell whose time each mark has`)
        lasts(entry, 'k:', 60_000)
        lasts(entry, 'k:a', 90_000)
      }
    }),
    rule('tells a process that comes later all that it holds', async (group, one) => {
      await one.publish(write(group, { 'k:a': 60_000 }), write(`${group}/2`, { 'k:b': 50_000 }))
      const late = processOf(await open())
      try {
        await late.synced
        lasts(await late.until(group, () => true), 'k:a', 60_000)
        lasts(await late.until(`${group}/2`, () => true), 'k:b', 50_000)
      } finally {
        await late.close()
      }
    }),
    rule('keeps the later of two times, in whichever order they come', async (group, one, other) => {
      await one.publish(write(group, { 'k:': 60_000 }))
      await other.publish(write(group, { 'k:': 1_000 }))
      await other.publish(write(group, { 'k:b': 1_000 }))
      lasts(await one.until(group, ({ marks }) => marks['k:b'] !== undefined), 'k:', 60_000)
      await other.publish(write(group, { 'k:': 90_000 }))
      await one.until(group, ({ marks }) => (marks['k:'] ?? 0) > 60_000)
    }),
    rule('drops marks of an older generation and lets a newer one replace all', async (group, one, other) => {
      await one.publish(write(group, { old: 60_000 }, { generation: 2 }))
      await other.publish(write(group, { older: 60_000 }, { generation: 1 }))
      await other.publish(write(group, { more: 60_000 }, { generation: 2 }))
      const entry = await one.until(group, ({ marks }) => marks['more'] !== undefined)
      has(entry, 2, ['more', 'old'])
      await other.publish(write(group, { fresh: 60_000 }, { generation: 3 }))
      has(await one.until(group, ({ generation }) => generation === 3), 3, ['fresh'])
    }),
    rule('takes marks without a generation into the current one', async (group, one, other) => {
      await one.publish(write(group, { one: 60_000 }, { generation: 7 }))
      await other.publish(write(group, { other: 60_000 }))
      has(await one.until(group, ({ marks }) => marks['other'] !== undefined), 7, ['one', 'other'])
    }),
    rule('renews to one above what it holds, and at least to what is asked', async (group, one, other) => {
      await one.publish(write(group, { gone: 60_000 }, { generation: 4 }))
      await other.publish(write(group, { kept: 60_000 }, { renew: 'one', generation: 2 }))
      has(await one.until(group, ({ generation }) => generation > 4), 5, ['kept'])
      await other.publish(write(group, {}, { renew: 'two', generation: 9 }))
      has(await one.until(group, ({ generation }) => generation > 5), 9, [])
    }),
    rule(
      'renews once by one name, however often that is written and whatever came since',
      async (group, one, other) => {
        await one.publish(write(group, {}, { renew: 'one' }))
        await other.publish(write(group, { 'k:': 60_000 }))
        await one.publish(write(group, { 'k:b': 60_000 }, { renew: 'one' }))
        has(await other.until(group, ({ marks }) => marks['k:b'] !== undefined), 1, ['k:', 'k:b'])
        for (const renew of ['two', 'three', 'four']) await other.publish(write(group, {}, { renew }))
        await other.publish(write(group, { 'k:c': 60_000 }))
        await one.publish(write(group, { 'k:d': 60_000 }, { renew: 'two' }))
        has(await other.until(group, ({ marks }) => marks['k:d'] !== undefined), 4, ['k:c', 'k:d'])
      },
    ),
    rule('tells exactly one of many who write at once that it was first', async (group, one, other) => {
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, place) =>
          (place % 2 === 0 ? one : other).publish(write(group, { [`k:${place}`]: 60_000 })),
        ),
      )
      const firsts = answers.flat().filter((first) => first).length
      check(firsts === 1, () => `${firsts} of 40 were told that they were first; tell one`)
    }),
    rule('takes a mark that has passed for none, and tells it all the same', async (group, one, other) => {
      await one.publish(write(group, { 'k:': -5_000 }))
      const entry = await other.until(group, ({ marks }) => marks['k:'] !== undefined)
      const ms = entry.marks['k:'] ?? 0
      check(ms <= -5_000, () => `a mark of -5000 ms is told as ${ms}; durations go on below 0`)
      const [first] = await other.publish(write(group, { 'k:': 60_000 }))
      check(first === true, () => 'the first mark that has not passed was not told to be first')
      const [again] = await one.publish(write(group, { 'k:': 70_000 }))
      check(again === false, () => 'a longer time for a mark that is there was told to be first')
    }),
    rule('starts anew with a generation: its first mark is a first', async (group, one, other) => {
      await one.publish(write(group, { 'k:': 60_000 }))
      await other.publish(write(group, {}, { renew: 'one' }))
      const [first] = await one.publish(write(group, { 'k:': 60_000 }))
      check(first === true, () => 'the first mark of a new generation was not told to be first')
    }),
    rule('makes all changes of one publication, and answers for each', async (group, one, other) => {
      const answers = await one.publish(
        write(group, { a: 60_000 }),
        write(`${group}/2`, { b: 60_000 }),
        write(group, { c: 60_000 }),
      )
      check(show(answers) === '[true,true,false]', () => `three changes were answered ${show(answers)}`)
      has(await other.until(group, ({ marks }) => marks['c'] !== undefined), 0, ['a', 'c'])
    }),
    rule('keeps odd names as they are', async (group, one, other) => {
      const names = ['k:"', 'k:\\', 'k:\n', 'k:é字\u{1F9EA}', 'k:{x}', 'k:__proto__', `k:${'x'.repeat(1_000)}`]
      const odd = `${group} "{odd}" 字`
      await one.publish(write(odd, Object.fromEntries(names.map((name) => [name, 60_000]))))
      has(await other.until(odd, () => true), 0, names)
    }),
    rule('keeps long times', async (group, one, other) => {
      await one.publish(write(group, { 'k:': 1e11 }))
      lasts(await other.until(group, () => true), 'k:', 1e11)
    }),
    rule('tells nothing any more after closing', async (group, one, other) => {
      await other.close()
      await one.publish(write(group, { 'k:': 60_000 }))
      await one.until(group, () => true)
      check(!other.heard(group), () => 'a closed listener was told of a change')
    }),
  ]
}

/** Messages take a while; time that a store adds to a mark, or takes away, is a fault. */
function lasts({ group, marks }: StoreEntry, name: string, ms: number): void {
  const told = marks[name] ?? Number.NaN
  check(told <= ms + 1 && told > ms - 10_000, () => `${group} ${name} was written for ${ms} ms and is told as ${told}`)
}

function has(entry: StoreEntry, generation: number, names: readonly string[]): void {
  const told = show([entry.generation, ...Object.keys(entry.marks).sort()])
  const expected = show([generation, ...[...names].sort()])
  check(told === expected, () => `generation and marks are ${told}; they must be ${expected}`)
}
