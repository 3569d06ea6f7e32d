// Measures how long a mark takes from the failure that made it to the mirror of another process, beside a bare publish
// to the same process over the same Redis. `process.hrtime` is the machine's own clock: both processes read the same.
// Starts a redis-server of its own; needs the build and the package's dev dependencies.
import { fork, spawn } from 'node:child_process'
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
const other = fork(new URL('./children/mark-heard.mjs', import.meta.url), [String(PORT)])
const connect = () => new Redis(PORT, { retryStrategy: () => 50, maxRetriesPerRequest: null })
const [writer, bare] = [connect(), connect()]
for (const one of [writer, bare]) one.on('error', () => undefined)

const { createHealth, heed } = await importHeed()
const { redisStore } = await importHeed('heed/stores/redis')

const waiting = new Map()
other.on('message', ({ at, what }) => waiting.get(what)?.(BigInt(at)))
/** Milliseconds until the other process has heard of something, from the moment that `start` begins it. */
const heardOf = (what, start) =>
  new Promise((resolve) => {
    let startNs = process.hrtime.bigint()
    waiting.set(what, (atNs) => {
      waiting.delete(what)
      resolve(Number(atNs - startNs) / 1e6)
    })
    start(() => {
      startNs = process.hrtime.bigint()
    })
  })

const times = { mark: [], publish: [] }
for (let series = 0; series < SERIES; series += 1) {
  const prefix = `bench-${series}`
  await heardOf(prefix, () => other.send(prefix))
  const health = createHealth({ store: redisStore({ client: writer, prefix }) })
  await health.ready()
  for (let round = 0; round < ROUNDS; round += 1) {
    /** A candidate of its own for each mark, so that each is news; the mirrors hold no more than a series of them. */
    const id = `m${round}`
    const mark = await heardOf(id, (begin) => {
      const guard = heed({ candidates: [{ id, provider: 'p' }], health, maxWaitMs: 0 })
      const failure = Object.assign(new Error('later'), { class: 'transient', retry_after_secs: 60 })
      void guard.settle(() => {
        begin()
        throw failure
      })
    })
    // As long as the message of a mark.
    const publish = await heardOf('bare', () => void bare.publish('bare', 'bare'.padEnd(150)))
    // The first series compiles.
    if (series === 0) continue
    times.mark.push(mark)
    times.publish.push(publish)
  }
  await health.close()
}
const at = (list, share) => list.toSorted((a, b) => a - b)[Math.floor(share * (list.length - 1))]
console.log('| | a mark to another process | a bare publish | ratio |\n|---|---|---|---|')
for (const [name, share] of [
  ['median', 0.5],
  ['p99', 0.99],
]) {
  const [mark, publish] = [at(times.mark, share), at(times.publish, share)]
  console.log(`| ${name} | ${mark.toFixed(3)} ms | ${publish.toFixed(3)} ms | ${(mark / publish).toFixed(2)} |`)
}
for (const client of [writer, bare]) client.disconnect()
other.kill()
server.kill('SIGKILL')
