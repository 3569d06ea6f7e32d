import type { Classification, Producer } from 'heed'
import { type AdapterConformanceOptions, type AdapterSample, adapterConformance } from 'heed/conformance'
import { llm, producers } from 'heed/producers'
import { describe, expect, test } from 'vitest'
import { answers, env, factsOf } from '../producers/answers.ts'
import { failingCases } from '../strategies/conformance/failing-cases.ts'

const THROWS = 'never throws, whatever comes in'
const SHAPE = 'answers nothing or a classification of the set'
const STATES = 'states the class that each sample has'
const SECONDS = 'gives retryAfterSecs in seconds'
const QUOTA = 'maps each kind of quota as the contract does'
const DETAIL = 'says it all in the fields, so that detail can be dropped'
const JSON_ = 'keeps class and wait through JSON'
const ORDINARY = 'inspects an answer that is no failure to nothing'
const ITEMS = 'says of a stream item true, false or nothing'
const PURE = 'answers the same for the same failure, and leaves it as it was'

/** A source of three codes, and an adapter whose parts can be broken one at a time. */
function sample(code: string, meant: AdapterSample['class'], more: Partial<AdapterSample> = {}): AdapterSample {
  return { name: code, raw: { code, wait_ms: (more.retryAfterSecs ?? 0) * 1_000 }, class: meant, ...more }
}

const OPTIONS: AdapterConformanceOptions = {
  samples: [
    sample('busy', 'transient', { retryAfterSecs: 7 }),
    sample('gone', 'permanent'),
    sample('cut', undefined, { ambiguous: true }),
  ],
  quota: {
    billing: { raw: { code: 'unpaid' } },
    window: { raw: { code: 'daily' } },
    unclear: { raw: { code: 'quota' } },
  },
  answers: [{ text: 'Hi' }],
}

const CLASSES: Readonly<Record<string, string>> = {
  busy: 'transient',
  gone: 'permanent',
  unpaid: 'permanent',
  daily: 'transient',
  quota: 'transient',
}

interface Raw {
  readonly code?: string
  readonly wait_ms?: number
}

function read(raw: unknown): Raw {
  try {
    const { code, wait_ms: waitMs } = raw as { code?: unknown; wait_ms?: unknown }
    return { ...(typeof code === 'string' ? { code } : {}), ...(typeof waitMs === 'number' ? { wait_ms: waitMs } : {}) }
  } catch {
    return {}
  }
}

function classify(raw: unknown): Classification | undefined {
  const { code = '', wait_ms: waitMs = 0 } = read(raw)
  if (code === 'cut') return { class: undefined, ambiguous: true }
  const stated = Object.hasOwn(CLASSES, code) ? CLASSES[code] : undefined
  if (stated === undefined) return undefined
  return { class: stated, ...(waitMs > 0 ? { retryAfterSecs: waitMs / 1_000 } : {}), detail: { rule: code } }
}

const altered = (change: (answer: Classification, raw: Raw) => unknown): Producer => ({
  classify: (raw) => {
    const answer = classify(raw)
    return answer && (change(answer, read(raw)) as Classification)
  },
})

const failing = (producer: Producer, options = OPTIONS): readonly string[] =>
  failingCases(adapterConformance(producer, options))

test('a sound adapter passes', () => {
  expect(failing({ classify })).toEqual([])
  expect(
    failing({ classify, inspect: (value) => classify(value), isContent: () => true, isEnd: () => undefined }),
  ).toEqual([])
})

describe('an adapter is caught that', () => {
  let calls = 0
  const broken: readonly (readonly [string, Producer, readonly string[]])[] = [
    ['reads a field of null', { classify: (raw) => classify((raw as Raw).code === '' ? {} : raw) }, [THROWS, SHAPE]],
    [
      'throws when it inspects',
      { classify, inspect: (value) => classify((value as Raw).code && value) },
      [THROWS, SHAPE, ORDINARY],
    ],
    ['throws for an item', { classify, isContent: (item) => 'code' in (item as Raw) }, [THROWS, ITEMS]],
    [
      'has a class of its own',
      altered((answer) => ({ ...answer, class: answer.class && 'rate_limited' })),
      [SHAPE, STATES, QUOTA],
    ],
    [
      'answers the old spelling',
      altered((answer) => ({ ...answer, class: answer.class && 'auth' })),
      [SHAPE, STATES, QUOTA, JSON_],
    ],
    ['answers the class alone', altered((answer) => answer.class), [SHAPE, STATES, SECONDS, QUOTA]],
    ['answers another scope', altered((answer) => ({ ...answer, scope: 'region' })), [SHAPE]],
    ['answers a word for a boolean', altered((answer) => ({ ...answer, exhausted: 'yes' })), [SHAPE]],
    ['answers null', { classify: () => null as never }, [SHAPE, STATES, SECONDS, QUOTA]],
    [
      'answers a status for every status',
      {
        classify: (raw) =>
          classify(raw) ??
          ({ class: (raw as { status?: number } | null)?.status === 500 ? 'server' : undefined } as Classification),
      },
      [THROWS, SHAPE],
    ],
    [
      'answers a malformed hint',
      { classify: (raw) => classify(raw) ?? { class: 'transient', retryAfterSecs: Number.NaN } },
      [SHAPE],
    ],
    [
      'calls the daily quota permanent',
      altered((answer, { code }) => (code === 'daily' ? { class: 'permanent' } : answer)),
      [QUOTA],
    ],
    [
      'calls a bill transient',
      altered((answer, { code }) => (code === 'unpaid' ? { class: 'transient' } : answer)),
      [QUOTA],
    ],
    [
      'calls what is gone transient',
      altered((answer, { code }) => (code === 'gone' ? { class: 'transient' } : answer)),
      [STATES],
    ],
    ['forgets ambiguous', altered(({ ambiguous: _, ...rest }) => rest), [STATES]],
    [
      'answers milliseconds',
      altered((answer, { wait_ms: waitMs = 0 }) => (waitMs > 0 ? { ...answer, retryAfterSecs: waitMs } : answer)),
      [SECONDS],
    ],
    ['drops the wait', altered(({ retryAfterSecs: _, ...rest }) => rest), [SECONDS]],
    [
      'invents a wait, even without a class',
      altered((answer) => ({ retryAfterSecs: 30, ...answer })),
      [SECONDS, JSON_],
    ],
    [
      'states the class in detail',
      altered(({ ambiguous, class: stated = 'transient' }) => ({
        class: undefined,
        ambiguous,
        detail: { class: stated },
      })),
      [STATES, SECONDS, QUOTA, DETAIL],
    ],
    ['states more in detail', altered((answer) => ({ ...answer, detail: { class: 'transient' } })), [DETAIL]],
    ['takes every value for a failure', { classify, inspect: () => ({ class: 'transient' }) }, [ORDINARY]],
    [
      'takes an answer for a failure',
      {
        classify,
        inspect: (value) =>
          (value as { text?: string } | undefined)?.text === 'Hi' ? { class: undefined } : undefined,
      },
      [THROWS, SHAPE, ORDINARY],
    ],
    ['answers a number for an item', { classify, isEnd: () => 1 as never }, [ITEMS]],
    ['keeps state', altered((answer) => ({ ...answer, detail: { calls: calls++ } })), [PURE]],
    [
      'writes to what it reads',
      {
        classify: (raw) => {
          const answer = classify(raw)
          if (answer !== undefined) Object.assign(raw as object, { seen: true })
          return answer
        },
      },
      [PURE],
    ],
  ]

  test.each(broken)('%s', (_fault, producer, caught) => {
    expect(failing(producer)).toEqual(caught)
  })
})

test('says what was asked, what was answered and what to answer', () => {
  const producer = altered((answer, { wait_ms: waitMs = 0 }) =>
    waitMs > 0 ? { ...answer, retryAfterSecs: waitMs } : answer,
  )
  const found = adapterConformance(producer, OPTIONS).find(({ name }) => name === SECONDS)
  expect(() => found?.run()).toThrow(new Error('busy: retryAfterSecs is 7000; these are milliseconds, give 7 s'))
})

test('no sample is refused', () => {
  expect(() => adapterConformance({ classify }, { ...OPTIONS, samples: [] })).toThrow(TypeError)
})

/** What heed ships passes its own suite, each family on the answers that were seen of it. */
const shipped = [...Object.entries(producers), ['llm', llm()] as const]

test.each(shipped)('%s passes', (id, producer) => {
  const seen = answers.filter(({ provider }) => provider === id || id === 'llm')
  const samples = seen.map(
    (answer): AdapterSample => ({
      name: answer.id,
      raw: factsOf(answer),
      class: (answer.expected.class ?? undefined) as AdapterSample['class'],
      ambiguous: answer.expected.ambiguous === true,
      retryAfterSecs: answer.expected.retry_after_secs,
    }),
  )
  const nothing: AdapterSample = { name: 'a success', raw: { status: 200, headers: {}, body: {} }, class: undefined }
  const options = { samples: [nothing, ...samples], quota: false, nowMs: env.nowMs } as const
  expect(failing(producer, options)).toEqual([])
})
