import { request } from 'node:http'
import { createHealth, type Guard, HEALTH_EVENTS, type HealthStore, heed, type Outcome } from 'heed'
import { redisStore } from 'heed/stores/redis'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import type { Answer, Command, Noted, Opening } from './worker-protocol.ts'

type Chained = { readonly id: string; readonly provider: string }

const id = process.argv[2] ?? ''
const noted: Noted[] = []
const unhandled: string[] = []
/** Attempts that started at a provider which this process knew to be blocked. */
let trespasses = 0
let calls: Promise<Outcome<unknown, Chained>>[] = []
let guard: Guard<Chained> | undefined
let end: () => Promise<void> = async () => undefined

process.on('unhandledRejection', (error) => {
  unhandled.push(String(error))
})
process.on('uncaughtException', (error) => {
  unhandled.push(String(error.stack))
})

/** Asks the provider; what it says is thrown as it says it. */
function ask(url: string, candidate: Chained): Promise<string> {
  const known = guard?.health.snapshot().providers.find(({ provider }) => provider === candidate.provider)
  if (known?.blocked === true) trespasses += 1
  return new Promise((resolve, reject) => {
    const asked = request(`${url}${candidate.id}`, { headers: { 'x-worker': id } }, (response) => {
      let text = ''
      response.on('data', (part) => {
        text += part
      })
      response.on('end', () => {
        const said = JSON.parse(text) as { readonly class?: string }
        if (said.class === undefined) resolve(text)
        else reject(Object.assign(new Error('refused'), said))
      })
    })
    asked.on('error', reject)
    asked.end()
  })
}

async function connected({ client, url, prefix }: Opening): Promise<readonly [HealthStore, () => Promise<void>]> {
  if (client === 'ioredis') {
    const redis = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: 1 })
    redis.on('error', () => undefined)
    return [redisStore({ client: redis, prefix }), async () => redis.disconnect()]
  }
  const redis = createClient({ url, socket: { reconnectStrategy: () => 50 } })
  redis.on('error', () => undefined)
  await redis.connect()
  return [redisStore({ client: redis, prefix }), async () => redis.destroy()]
}

async function open(opening: Opening): Promise<void> {
  await end()
  noted.length = 0
  calls = []
  const [store, close] = await connected(opening)
  const health = createHealth({ store })
  for (const name of HEALTH_EVENTS) health.on(name, (event) => void noted.push({ name, event: { ...event } }))
  guard = heed<Chained>({ candidates: opening.candidates, health, ...opening.options })
  end = async () => {
    await health.close()
    await close()
  }
  await health.ready()
}

async function obey(command: Command): Promise<unknown> {
  if (command.does === 'open') return open(command.opening)
  const { health, auth, settle } = guard as Guard<Chained>
  switch (command.does) {
    case 'run':
      for (let n = 0; n < command.count; n += 1) calls.push(settle(({ candidate }) => ask(command.provider, candidate)))
      return undefined
    case 'outcomes':
      return (await Promise.all(calls)).map(({ status }) => status)
    case 'snapshot':
      return health.snapshot()
    case 'pending':
      return auth.pending()
    case 'resolve':
      return auth.resolve(command.name)
    case 'noted':
      return noted
    case 'faults':
      return { unhandled, trespasses }
    case 'close':
      await end()
      end = async () => undefined
      return undefined
  }
}

process.on('message', ({ number, command }: { readonly number: number; readonly command: Command }) => {
  const tell = (answer: Answer): void => void process.send?.(answer)
  obey(command).then(
    (value) => tell({ number, value }),
    (error: unknown) => tell({ number, error: String(error) }),
  )
})
