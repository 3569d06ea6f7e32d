// The other process of `stores.mjs`: says when a mark is known here, and when a bare message is.
import { createRequire } from 'node:module'
import { importHeed } from '../harness/built-heed.mjs'

const { Redis } = createRequire(new URL('../../package.json', import.meta.url))('ioredis')
const connect = () => new Redis(Number(process.argv[2]), { retryStrategy: () => 50, maxRetriesPerRequest: null })
const [client, bare] = [connect(), connect()]
for (const one of [client, bare]) one.on('error', () => undefined)
const { createHealth } = await importHeed()
const { redisStore } = await importHeed('heed/stores/redis')

const tell = (at, what) => process.send({ at: String(at), what })
bare.on('message', (_channel, text) => tell(process.hrtime.bigint(), text.trim()))

/** A health that tells of each candidate once it cools here. */
async function opened(prefix) {
  const store = redisStore({ client, prefix })
  const known = new Set()
  const heard = (listener) => ({
    ...listener,
    changed: (...news) => {
      listener.changed(...news)
      const at = process.hrtime.bigint()
      for (const { candidate } of health.snapshot().cooling) {
        if (known.has(candidate)) continue
        known.add(candidate)
        tell(at, candidate)
      }
    },
  })
  const health = createHealth({ store: { ...store, connect: (listener) => store.connect(heard(listener)) } })
  await health.ready()
  return health
}

let health
process.on('message', async (prefix) => {
  await health?.close()
  health = await opened(prefix)
  await bare.subscribe('bare')
  tell(process.hrtime.bigint(), prefix)
})
