import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mutations } from '../laws/mutations.mjs'

test.each(mutations)("law $law's planted mistake still applies: $mistake", ({ file, search }) => {
  const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
  expect(source.split(search)).toHaveLength(2)
})
