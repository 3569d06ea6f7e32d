import { describe, expect, test } from 'vitest'
import { llm, producers } from '../../src/producers/index.ts'
import { answers, env, factsOf } from './answers.ts'
import { charactersRead } from './characters-read.ts'
import { bodies } from './stated.ts'

const all = Object.entries({ ...producers, llm: llm() })

/** What is made when an adapter is first asked is made before anything is counted. */
for (const [, producer] of all) {
  for (const answer of answers) producer.classify(factsOf(answer), env)
}

test('the measure itself', () => {
  const text = 'x'.repeat(1_000)
  expect(charactersRead(() => text.includes('y'))).toBe(1_000)
  expect(charactersRead(() => /y/.test(text))).toBe(1_000)
  expect(charactersRead(() => text.startsWith('yes'))).toBe(3)
  expect(charactersRead(() => text.charCodeAt(7))).toBe(1)
  expect(charactersRead(() => JSON.parse('[1, 2]'))).toBe(6)
  expect(charactersRead(() => text.slice(3))).toBe(0)
})

describe('an ordinary answer is read a bounded number of times', () => {
  /** Passes over the text, all told: facts, wording, phrases, a status, a wait, and quoted objects once more. */
  const PASSES = 40
  const sizeOf = (body: unknown): number => JSON.stringify(body).length + 400

  test.each(all)('%s', (_id, producer) => {
    const over = [...answers.map(factsOf), ...bodies].flatMap((raw) => {
      const read = charactersRead(() => producer.classify(raw, env))
      const passes = read / sizeOf((raw as { body: unknown }).body)
      return passes <= PASSES ? [] : [{ raw, passes }]
    })
    expect(over).toEqual([])
  })
})

/** Texts of a given length, each of a kind that some reader could be made to walk. */
const long: Readonly<Record<string, (length: number) => unknown>> = {
  'a message': (length) => ({ error: { message: 'x'.repeat(length) } }),
  'a message full of braces': (length) => ({ error: { message: 'x{"'.repeat(length / 3) } }),
  'a message full of quotes': (length) => ({ error: { message: `{'${"\\'".repeat(length / 2)}` } }),
  'a message full of statuses': (length) => ({ error: { message: '1 404 '.repeat(length / 6) } }),
  'a message full of waits': (length) => ({ error: { message: 'retry in in 7m '.repeat(length / 15) } }),
  'a page': (length) => `<html>${'<p>503 try again in </p>\n'.repeat(length / 25)}`,
  'spaces and a brace': (length) => `${' '.repeat(length)}{`,
  'open brackets': (length) => '['.repeat(length),
  'JSON, cut off': (length) => `{"error":{"message":"${'\\\\'.repeat(length / 2)}`,
  'a long list': (length) => JSON.stringify({ detail: Array(Math.floor(length / 30)).fill({ loc: ['body'] }) }),
}

/** Of those that read alike one is enough; the rest have readers of their own for codes, waits or shapes. */
const varied = all.filter(([id]) =>
  'openai openai-responses openai-chatgpt anthropic gemini bedrock mcp huggingface zai broca ai-sdk llm'
    .split(' ')
    .includes(id),
)

describe('of a long answer no more is read, however long it is', () => {
  /** About a third of a millisecond's worth on a slow machine, for each of many places in which a text may stand. */
  const MOST = 1_500_000

  test.each(Object.entries(long))('%s', (_name, make) => {
    const [shorter, longer] = [make(300_000), make(600_000)].map((body) => ({ status: 429, body }))
    for (const [id, producer] of varied) {
      const read = charactersRead(() => producer.classify(shorter, env))
      expect([id, read <= MOST, read]).toEqual([id, true, read])
      expect([id, charactersRead(() => producer.classify(longer, env))]).toEqual([id, read])
    }
  })
})

describe('of a large object no more is looked at, however large it is', () => {
  const counted = (value: object, looks: { count: number }): object =>
    new Proxy(value, {
      get: (target, name) => {
        looks.count += 1
        const found = Reflect.get(target, name)
        return typeof found === 'object' && found !== null && name !== 'prototype' ? counted(found, looks) : found
      },
    })
  const shapes: Readonly<Record<string, (size: number) => object>> = {
    'a wide one': (size) => Object.fromEntries(Array.from({ length: size }, (_, at) => [`field${at}`, at])),
    'a list': (size) => ({ errors: Array.from({ length: size }, () => ({ code: 'x' })) }),
    'a deep one': (size) => {
      let value: object = { code: 'x' }
      for (let at = 0; at < size; at += 1) value = { error: value }
      return value
    },
    headers: (size) => ({
      status: 429,
      headers: Object.fromEntries(Array.from({ length: size }, (_, at) => [`x-${at}`, 'y'])),
    }),
  }

  test.each(Object.entries(shapes))('%s', (_name, make) => {
    for (const [id, producer] of all) {
      const [shorter, longer] = [{ count: 0 }, { count: 0 }]
      producer.classify(counted(make(2_000), shorter), env)
      producer.classify(counted(make(4_000), longer), env)
      expect([id, longer.count]).toEqual([id, shorter.count])
      expect([id, shorter.count < 20_000]).toEqual([id, true])
    }
  })
})
