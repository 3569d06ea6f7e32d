import { Redis } from 'ioredis'
import { type RedisServer, startRedis } from './server.ts'
import { until } from './workers.ts'

const SLOTS = 16_384

/** Three nodes that have a third of the slots each. */
export interface RedisCluster {
  readonly nodes: readonly RedisServer[]
  /** The nodes, whoever has the slot of a key last. */
  ownerLast(key: string): Promise<readonly RedisServer[]>
  /** Gives the slot of a key that nobody has used yet to the next node, and tells no client. */
  move(key: string): Promise<void>
  stop(): Promise<void>
}

export async function startCluster(): Promise<RedisCluster> {
  const args = ['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1']
  const nodes = await Promise.all([0, 1, 2].map(() => startRedis(args)))
  const admins = nodes.map(({ port }) => new Redis(port))
  const each = <T>(does: (admin: Redis, place: number) => Promise<T>): Promise<T[]> => Promise.all(admins.map(does))
  const first = (place: number): number => Math.ceil((place * SLOTS) / nodes.length)
  await each(async (admin, place) => {
    await admin.cluster('SET-CONFIG-EPOCH', place + 1)
    const slots = Array.from({ length: first(place + 1) - first(place) }, (_, slot) => first(place) + slot)
    await admin.cluster('ADDSLOTS', ...slots)
  })
  for (const { port } of nodes.slice(1)) await (admins[0] as Redis).cluster('MEET', '127.0.0.1', port)
  await until(async () => {
    const known = await each(async (admin) => [await admin.cluster('SLOTS'), await admin.cluster('INFO')] as const)
    return known.every(([slots, info]) => slots.length === nodes.length && info.includes('cluster_state:ok'))
  })
  await hearEachOther(nodes)
  const placeOf = async (key: string): Promise<number> => {
    const slot = await (admins[0] as Redis).cluster('KEYSLOT', key)
    const owner = (await (admins[0] as Redis).cluster('SLOTS')).find(([from, to]) => from <= slot && slot <= to)?.[2]
    return nodes.findIndex(({ port }) => port === owner?.[1])
  }
  return {
    nodes,
    ownerLast: async (key) => {
      const place = await placeOf(key)
      return [...nodes.slice(place + 1), ...nodes.slice(0, place + 1)]
    },
    move: async (key) => {
      const place = ((await placeOf(key)) + 1) % nodes.length
      const slot = await (admins[0] as Redis).cluster('KEYSLOT', key)
      const id = await (admins[place] as Redis).cluster('MYID')
      // Whoever gets it first, so that nobody is told that it has no owner.
      for (const admin of [...admins.slice(place), ...admins.slice(0, place)]) {
        await admin.cluster('SETSLOT', slot, 'NODE', id)
      }
    },
    stop: async () => {
      for (const admin of admins) admin.disconnect()
      await Promise.all(nodes.map((node) => node.stop()))
    },
  }
}

/** For a moment after a cluster serves, a node may lack its link to another, and what is published there is lost. */
async function hearEachOther(nodes: readonly RedisServer[]): Promise<void> {
  const heard = new Set<string>()
  const clients = nodes.map(({ port }) => ({ publisher: new Redis(port), subscriber: new Redis(port) }))
  for (const [place, { subscriber }] of clients.entries()) {
    subscriber.on('message', (_channel, from) => heard.add(`${from} at ${place}`))
    await subscriber.subscribe('link')
  }
  await until(async () => {
    for (const [place, { publisher }] of clients.entries()) await publisher.publish('link', String(place))
    return heard.size === nodes.length ** 2
  })
  for (const { publisher, subscriber } of clients) {
    publisher.disconnect()
    subscriber.disconnect()
  }
}
