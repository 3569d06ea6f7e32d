import { expect, test } from 'vitest'
import { Recent } from '../../src/integrations/kit/recent.ts'

test('keeps what is made for the names that were asked for last, a hundred of them', () => {
  const recent = new Recent<number, object>()
  const of = (name: number): object => recent.of(name, () => ({ name }))
  const [first, second] = [of(0), of(1)]
  for (let name = 2; name < 100; name += 1) of(name)
  expect(of(0)).toBe(first)
  of(100)
  expect(of(0)).toBe(first)
  expect(of(1)).not.toBe(second)
})

test('makes anew what it was told to forget', () => {
  const recent = new Recent<string, object>()
  const made = recent.of('a', () => ({}))
  recent.forget('a')
  expect(recent.of('a', () => ({}))).not.toBe(made)
})
