import { describe, expect, test } from 'vitest'
import { jsonLinesFor } from '../../demo/report/json-lines.mjs'
import { countAttempts, countRequests, ledgerOf } from '../../demo/report/ledger.mjs'
import { painterFor } from '../../demo/report/paint.mjs'
import { durationOf, rowOf } from '../../demo/report/row.mjs'
import { tableLines } from '../../demo/report/table.mjs'
import { timelineFor } from '../../demo/report/timeline.mjs'

const at = (...candidates: string[]) => candidates.map((candidate) => ({ candidate, atMs: 0 }))

describe('the ledger', () => {
  const ledger = (announced: string[], reported: string[], received: string[]) =>
    ledgerOf(['a', 'b'], {
      announced: countAttempts(at(...announced)),
      reported: countAttempts(at(...reported)),
      received: countRequests(at(...received)),
    })

  test('agrees where all three agree, a candidate that nobody asked included', () => {
    expect(ledger(['a', 'a'], ['a', 'a'], ['a', 'a'])).toEqual([
      { candidate: 'a', announced: 2, reported: 2, received: 2, equal: true },
      { candidate: 'b', announced: 0, reported: 0, received: 0, equal: true },
    ])
  })

  test.each([
    ['a request that heed does not know', ['a'], ['a'], ['a', 'a']],
    ['an attempt that no server saw', ['a', 'a'], ['a', 'a'], ['a']],
    ['an event too few', [], ['a'], ['a']],
    ['an outcome too few', ['a'], [], ['a']],
    ['equal sums at different candidates', ['a'], ['a'], ['b']],
    ['a candidate that only a server knows', ['a'], ['a'], ['a', 'c']],
  ])('differs for %s', (_, announced, reported, received) => {
    expect(ledger(announced, reported, received).every((row) => row.equal)).toBe(false)
  })
})

describe('a row of the timeline', () => {
  test('says what was decided, why, and how long it takes', () => {
    const event = { candidate: 'b', from: 'a', class: 'transient', reason: 'wait_too_long', delayMs: 0 }
    expect(rowOf('advance', event)).toEqual({
      candidate: 'b',
      class: 'transient',
      decision: 'advance',
      reason: 'wait_too_long',
      wait: 'at once',
    })
    expect(rowOf('retry', { candidate: 'a', delayMs: 1_042 }).wait).toBe('1.04 s')
    expect(rowOf('failure', { candidate: 'a', retryAfterSecs: 7_999 }).wait).toBe('hint: not before 2 h 13 min')
    expect(rowOf('auth_prompt', { provider: 'p' }).candidate).toBe('p')
  })

  test.each([
    [0, '0 ms'],
    [999.4, '999 ms'],
    [999.6, '1.00 s'],
    [1_000, '1.00 s'],
    [119_999, '120.00 s'],
    [120_000, '2 min'],
    [7_999_000, '2 h 13 min'],
  ])('%d ms is written as %s', (ms, text) => {
    expect(durationOf(ms)).toBe(text)
  })
})

describe('colour', () => {
  test('is for terminals, and NO_COLOR forbids it', () => {
    expect(painterFor({ isTTY: true }, {})('red', 'x')).toBe('\u001B[31mx\u001B[0m')
    expect(painterFor({ isTTY: true }, { NO_COLOR: '' })('red', 'x')).toBe('\u001B[31mx\u001B[0m')
    expect(painterFor({ isTTY: true }, { NO_COLOR: '1' })('red', 'x')).toBe('x')
    expect(painterFor({}, {})('red', 'x')).toBe('x')
  })
})

test('a table aligns numbers to the right and words to the left', () => {
  expect(
    tableLines(
      ['name', 'n'],
      [
        ['a', 1],
        ['longer', 20],
      ],
    ),
  ).toEqual(['name    n', '------  --', 'a        1', 'longer  20'])
})

test('events of a crowd are counted by kind', () => {
  const lines: string[] = []
  const timeline = timelineFor((line: string) => void lines.push(line), painterFor({}, {}))
  timeline.open({ title: 'many', story: [], crowd: true })
  for (let call = 0; call < 20; call += 1) timeline.heard('success', { candidate: 'b', callId: String(call) }, call)
  timeline.heard('success', { candidate: 'c' }, 21)
  timeline.close({ ending: 'done' })
  expect(lines.filter((line) => line.includes('success')).map((line) => line.replace(/ +/g, ' '))).toEqual([
    ' +0.000s b success 20 x',
    ' +0.021s c success 1 x',
  ])
})

test('JSON lines bear the event name and the scenario, and the output gets nothing else', () => {
  const out: string[] = []
  const err: string[] = []
  const lines = jsonLinesFor(
    (line: string) => void out.push(line),
    (line: string) => void err.push(line),
  )
  lines.open({ name: 'scene' })
  lines.heard('retry', { candidate: 'a', delayMs: 5 })
  lines.say('press Enter')
  lines.close({ name: 'scene', fault: 'no answer' })
  lines.end([{ name: 'scene', ledger: [{ candidate: 'a', announced: 1, reported: 1, received: 2, equal: false }] }])
  expect(out.map((line) => JSON.parse(line))).toEqual([
    { candidate: 'a', delayMs: 5, event: 'retry', scenario: 'scene' },
  ])
  expect(err).toHaveLength(3)
})
