/**
 * A client as the user hands it in: `Redis` or `Cluster` of `ioredis` (5.3 and later), or what `createClient` or
 * `createCluster` of `redis` (5 and later) makes, connected. Only these methods are used.
 */
export interface RedisClient {
  eval(...args: never[]): PromiseLike<unknown>
  duplicate(...args: never[]): unknown
  on(...args: never[]): unknown
  off(...args: never[]): unknown
}

/** One way to talk to clients of either package. */
export interface Driver {
  /** @throws (rejects) where the client is not connected: it would keep the command, and send it when it is stale. */
  run(script: string, keys: readonly string[], args: readonly string[]): Promise<unknown>
  /**
   * Listens on a connection of its own.
   *
   * @returns How to stop.
   */
  listen(channel: string, told: Told): () => void
}

/** Told by a driver. */
export interface Told {
  readonly message: (text: string) => void
  /** Both the client and the connection that listens work. */
  readonly connected: () => void
  /** One of them does not. */
  readonly lost: () => void
}

/** What the two packages have in common; what differs is asked for where it is used. */
interface Emitter {
  on(event: string, listener: (...args: never[]) => void): unknown
  off(event: string, listener: (...args: never[]) => void): unknown
}

/** As `ioredis` has it. */
interface Ioredis extends Emitter {
  readonly status: string
  eval(script: string, keyCount: number, ...keysAndArgs: readonly string[]): Promise<unknown>
  duplicate(): Ioredis
  connect(): Promise<unknown>
  subscribe(channel: string): Promise<unknown>
  disconnect(): void
}

/** As `redis` has it. */
interface NodeRedis extends Emitter {
  /** Absent in the cluster client of `redis` 5.0. */
  readonly isReady?: boolean
  readonly isOpen: boolean
  eval(script: string, options: { keys: readonly string[]; arguments: readonly string[] }): Promise<unknown>
  duplicate(): NodeRedis
  connect(): Promise<unknown>
  subscribe(channel: string, listener: (text: string) => void): Promise<unknown>
  destroy(): void
}

/**
 * The driver of a client.
 *
 * @throws TypeError where it is of neither package.
 */
export function driverOf(client: RedisClient): Driver {
  const { eval: run, duplicate } = (client ?? {}) as Partial<RedisClient>
  if (typeof run !== 'function' || typeof duplicate !== 'function') {
    throw new TypeError('redisStore: client: give a client of ioredis, or a connected one of redis')
  }
  return 'evalSha' in client ? nodeRedis(client as unknown as NodeRedis) : ioredis(client as unknown as Ioredis)
}

const offline = (): Promise<never> => Promise.reject(new Error('redisStore: the client is not connected'))
const ignored = (): void => undefined

function ioredis(client: Ioredis): Driver {
  // A lazy client connects at its first command.
  const works = (of: Ioredis): boolean => of.status === 'ready' || of.status === 'wait'
  return {
    run: (script, keys, args) => (works(client) ? client.eval(script, keys.length, ...keys, ...args) : offline()),
    listen: (channel, told) => {
      const own = client.duplicate()
      own.on('message', (_channel: string, text: string) => told.message(text))
      const subscribe = (): void => {
        // Again after each reconnection, and before anybody reads what was missed.
        if (own.status === 'ready' && works(client)) own.subscribe(channel).then(told.connected, told.lost)
      }
      const close = watched(client, own, subscribe, told.lost, () => own.disconnect())
      if (own.status === 'wait') own.connect().then(ignored, told.lost)
      return close
    },
  }
}

function nodeRedis(client: NodeRedis): Driver {
  const works = (of: NodeRedis): boolean => of.isReady ?? of.isOpen
  return {
    run: (script, keys, args) => (works(client) ? client.eval(script, { keys, arguments: args }) : offline()),
    listen: (channel, told) => {
      const own = client.duplicate()
      let subscribed: Promise<unknown> | undefined
      const subscribe = (): void => {
        if (!works(own) || !works(client)) return
        // It keeps its subscriptions over reconnections; a second one would tell everything twice.
        subscribed ??= own.subscribe(channel, (text) => told.message(text))
        subscribed.then(told.connected, () => {
          subscribed = undefined
          told.lost()
        })
      }
      const close = watched(client, own, subscribe, told.lost, () => own.destroy())
      own.connect().then(subscribe, told.lost)
      return close
    },
  }
}

/** What a connection of either package says when it does not work. */
const LOST = ['close', 'reconnecting', 'end']

/** Watches the user's client and the connection of its own; ends with `close`, or when the user ends the client. */
function watched(client: Emitter, own: Emitter, ready: () => void, lost: () => void, destroy: () => void): () => void {
  let isClosed = false
  const close = (): void => {
    if (isClosed) return
    isClosed = true
    for (const one of [client, own]) {
      one.off('ready', ready)
      for (const event of LOST) one.off(event, lost)
    }
    client.off('end', ended)
    try {
      destroy()
    } catch {
      // It was closed already: that is all that was wanted.
    }
  }
  const ended = (): void => {
    lost()
    close()
  }
  for (const one of [client, own]) {
    one.on('ready', ready)
    for (const event of LOST) one.on(event, lost)
  }
  // Nobody else listens there, and an error that nobody hears ends the process.
  own.on('error', lost)
  client.on('end', ended)
  return close
}
