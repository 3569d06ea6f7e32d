import { redisStore } from 'heed/stores/redis'
import { expect, test } from 'vitest'

const client = { eval: () => {}, duplicate: () => {}, on: () => {}, off: () => {} }

test.each<[unknown, string]>([
  [undefined, 'redisStore: the options: give an object with client'],
  [null, 'redisStore: the options: give an object with client'],
  ['redis://localhost', 'redisStore: the options: give an object with client'],
  [{}, 'redisStore: client: give a client of ioredis'],
  [{ client, prefx: 'orders' }, 'redisStore: prefx is not an option; give client or prefix'],
])('refuses %o', (options, message) => {
  expect(() => redisStore(options as never)).toThrow(TypeError)
  expect(() => redisStore(options as never)).toThrow(message)
})
