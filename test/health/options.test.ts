import { createHealth } from 'heed'
import { fakeClock } from 'heed/testing'
import { expect, test } from 'vitest'

test.each<[unknown, string]>([
  [null, 'createHealth: null is not an option; give clock, store or random'],
  [5, 'createHealth: 5 is not an option; give clock, store or random'],
  [{ stor: {} }, 'createHealth: stor is not an option; give clock, store or random'],
  [{ clock: {} }, 'createHealth: clock.now: give a function; clock.wallNow: give a function'],
  [{ clock: 5 }, 'createHealth: clock: give now, wallNow, setTimeout and clearTimeout'],
  [{ random: 5 }, 'createHealth: random: give a function'],
  [{ store: 5 }, 'createHealth: store: give a store'],
])('createHealth refuses %o', (options, message) => {
  expect(() => createHealth(options as never)).toThrow(TypeError)
  expect(() => createHealth(options as never)).toThrow(message)
})

test('and takes what it knows, undefined included', () => {
  createHealth()
  createHealth({})
  createHealth({ clock: undefined, store: undefined, random: undefined })
  createHealth({ clock: fakeClock(), random: () => 0 })
})
