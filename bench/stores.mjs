// Measures how long a mark takes from the failure that made it to another health's mirror, over connections of its own,
// beside a bare publish on the same Redis. Both ends are in this process, so that one clock times them. Starts a redis-server of its own; needs the build and the package's dev dependencies.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { importHeed } from './harness/built-heed.mjs'

const { Redis } = createRequire(new URL('../package.json', import.meta.url))('ioredis')
const PORT = 16_379
const SERIES = 21
const ROUNDS = 100

const server = spawn('redis-server', ['--port', String(PORT), '--save', '', '--appendonly', 'no'], { stdio: 'ignore' })
server.on('error', () => {
  console.error('No redis-server is installed here: nothing is measured.')
  process.exit(1)
})
const connect = () => {
  const client = new Redis(PORT, { retryStrategy: () => 50, maxRetriesPerRequest: null })
  client.on('error', () => undefined)
  return client
}
const [writer, reader, bareWriter, bareReader] = Array.from({ length: 4 }, connect)
await bareReader.subscribe('bare')

const { createHealth, heed } = await importHeed()
const { redisStore } = await importHeed('heed/stores/redis')
const times = { mark: [], publish: [] }

const published = () =>
  new Promise((resolve) => {
    const startMs = performance.now()
    bareReader.once('message', () => resolve(performance.now() - startMs))
    void bareWriter.publish('bare', 'x'.repeat(150))
  })

for (let series = 0; series < SERIES; series += 1) {
  const prefix = `bench-${series}`
  let arrived = () => undefined
  const store = redisStore({ client: reader, prefix })
  const heard = (listener) => ({
    ...listener,
    changed: (entries) => {
      listener.changed(entries)
      arrived()
    },
  })
  const one = createHealth({ store: redisStore({ client: writer, prefix }) })
  const other = createHealth({ store: { ...store, connect: (listener) => store.connect(heard(listener)) } })
  await Promise.all([one.ready(), other.ready()])
  /** A candidate of its own for each mark, so that each is news; the mirrors hold no more than a series of them. */
  const marked = (id) =>
    new Promise((resolve) => {
      const guard = heed({ candidates: [{ id, provider: 'p' }], health: one, maxWaitMs: 0 })
      const failure = Object.assign(new Error('later'), { class: 'transient', retry_after_secs: 1 })
      let startMs = 0
      arrived = () => resolve(performance.now() - startMs)
      void guard.settle(() => {
        startMs = performance.now()
        throw failure
      })
    })
  for (let round = 0; round < ROUNDS; round += 1) {
    const [mark, publish] = [await marked(`m${round}`), await published()]
    // The first series compiles.
    if (series === 0) continue
    times.mark.push(mark)
    times.publish.push(publish)
  }
  await Promise.all([one.close(), other.close()])
}
const at = (list, share) => list.toSorted((a, b) => a - b)[Math.floor(share * (list.length - 1))]
console.log('| | a mark | a bare publish | ratio |\n|---|---|---|---|')
for (const [name, share] of [
  ['median', 0.5],
  ['p99', 0.99],
]) {
  const [mark, publish] = [at(times.mark, share), at(times.publish, share)]
  console.log(`| ${name} | ${mark.toFixed(3)} ms | ${publish.toFixed(3)} ms | ${(mark / publish).toFixed(2)} |`)
}
for (const client of [writer, reader, bareWriter, bareReader]) client.disconnect()
server.kill('SIGKILL')
