import { describe, expect, test } from 'vitest'
import { ERROR_CLASS_WIRE_SET } from '../../src/core/classification.ts'
import { llm, producers } from '../../src/producers/index.ts'
import { answers, env, factsOf, isRight, verdictOf } from './answers.ts'

const any = llm()

describe('each answer, read by its family', () => {
  test.each(answers.map((answer) => [answer.provider, answer.id, answer] as const))(
    '%s: %s',
    (provider, _id, answer) => {
      const found = producers[provider].classify(factsOf(answer), env)
      expect(isRight(found, answer.expected), JSON.stringify({ wanted: answer.expected, got: verdictOf(found) })).toBe(
        true,
      )
    },
  )
})

describe('what is thrown, read as an error object', () => {
  const thrown = answers.filter(
    ({ surface, body }) => surface === 'thrown' && typeof body === 'object' && body !== null,
  )
  test.each(thrown.map((answer) => [answer.id, answer] as const))(
    '%s',
    (_id, { body, status, headers, provider, expected }) => {
      const error = Object.assign(new Error(''), status === null ? {} : { status }, { headers }, body)
      expect(verdictOf(producers[provider].classify(error, env))).toEqual(expected)
    },
  )
})

describe('events of a stream', () => {
  const events = answers.filter(({ surface }) => surface === 'sse')
  test.each(events.map((answer) => [answer.id, answer] as const))(
    '%s is a failure that was answered',
    (_id, answer) => {
      expect(verdictOf(producers[answer.provider].inspect(answer.body, env))).toEqual(answer.expected)
    },
  )
})

test('llm() reads them all without being told the family', () => {
  const wrong = answers.filter((answer) => !isRight(any.classify(factsOf(answer), env), answer.expected))
  expect(wrong.map(({ id }) => id)).toEqual([])
})

test('every adapter answers within the wire set and names its rule', () => {
  for (const answer of answers) {
    for (const producer of Object.values(producers)) {
      const found = producer.classify(factsOf(answer), env)
      if (found === undefined) continue
      if (found.class !== undefined) expect(ERROR_CLASS_WIRE_SET).toContain(found.class)
      expect((found.detail as { rule: string }).rule).toMatch(/^[a-z][a-z.-]+\.[\w.-]+$/)
    }
  }
})

test('detail holds the rule, a code of the tables and the status, and no message', () => {
  const secret = 'sk-live-0123456789'
  const body = { error: { type: 'overloaded_error', code: secret, message: `Overloaded ${secret}` } }
  const found = producers.anthropic.classify({ status: 529, body }, env)
  expect(found?.detail).toEqual({ rule: 'anthropic.code.overloaded_error', code: 'overloaded_error', status: 529 })
  for (const answer of answers) {
    const detail = JSON.stringify(producers[answer.provider].classify(factsOf(answer), env)?.detail ?? {})
    expect(Object.keys(JSON.parse(detail)).every((key) => ['rule', 'code', 'status'].includes(key))).toBe(true)
    expect(detail.length).toBeLessThan(160)
  }
})
