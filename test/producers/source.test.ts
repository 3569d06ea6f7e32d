import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type FamilyId, producers } from '../../src/producers/index.ts'

const root = fileURLToPath(new URL('../../src/producers/', import.meta.url))
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(`${root}${name}`, 'utf8') }))

/** The regular expressions of a source file. */
const patternsIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?:[=(,:?!&|]|return)\s*\/(?![/*])((?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\n[\\])+)\/[dgimsuvy]*/g)].map(
    (found) => found[1] ?? '',
  )

/** How deep quantifiers stand inside quantified groups. A bound of {n} repeats too. */
function starHeight(pattern: string): number {
  const bare = pattern
    .replaceAll(/\\./g, 'a')
    .replaceAll(/\[[^\]]*\]/g, 'a')
    .replaceAll(/\(\?(?:[:=!]|<[=!])/g, '(')
  const heights = [0]
  let last = 0
  for (let at = 0; at < bare.length; at += 1) {
    const char = bare[at]
    if (char === '(') heights.push(0)
    else if (char === ')') last = heights.pop() ?? 0
    else if (char === '*' || char === '+' || char === '?' || char === '{') {
      const height = last + 1
      heights[heights.length - 1] = Math.max(heights.at(-1) ?? 0, height)
      if (char === '{') at = bare.indexOf('}', at)
      last = 0
      continue
    } else last = 0
    if (char === ')') heights[heights.length - 1] = Math.max(heights.at(-1) ?? 0, last)
  }
  return Math.max(...heights)
}

describe('regular expressions are linear', () => {
  const patterns = files.flatMap(({ name, text }) => patternsIn(text).map((pattern) => [name, pattern] as const))

  test('they are found', () => expect(patterns.length).toBeGreaterThan(15))
  test.each(patterns)('%s: /%s/ has no quantifier inside another', (_name, pattern) => {
    expect(starHeight(pattern)).toBeLessThanOrEqual(1)
  })
  test.each([
    ['a+b*', 1],
    ['(a+)+', 2],
    ['(?:a|b+)*', 2],
    ['(\\d+(?:\\.\\d+)?)', 2],
    ['[+*]+(x)', 1],
    ['(ab)', 0],
  ])('the measure itself: %s', (pattern, height) => expect(starHeight(pattern)).toBe(height))
})

describe('families stand apart', () => {
  const ids = Object.keys(producers) as FamilyId[]

  test.each(ids)('%s has its own file, which imports no other family', (id) => {
    const file = files.find(({ name }) => name === `${id}.ts`)
    const imports = [...(file?.text ?? '').matchAll(/from '\.\/([^']+)'/g)].map((found) => found[1] ?? '')
    const others = imports.filter((path) => ids.some((other) => path === `${other}.ts`))
    expect(file?.text).toContain(`id: '${id}'`.replace(/id: '(ai-sdk|langchain)'/, "('$1')"))
    expect(others).toEqual([])
  })

  test('each says which family it is', () => {
    expect(ids.map((id) => producers[id].family?.id)).toEqual(ids)
  })
})
