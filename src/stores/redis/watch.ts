import type { Connection, Emitter } from './packages.ts'

/** Told by a connection's events. They may be late: its state says more. */
export interface Watching {
  /** It may have become ready. */
  readonly risen: () => void
  /** It has lost its connection, or has ended. */
  readonly fallen: () => void
}

/** What connections say when they are ready: a cluster of `redis` says `connect`, all others say it before. */
const RISEN = ['ready', 'connect']
/** What they say when they are not; a cluster of `redis` says `disconnect`. */
const FALLEN = ['close', 'reconnecting', 'end', 'disconnect', 'terminated']

/** Listens to a connection. Answers how to stop. */
export function watched(emitter: Emitter, { risen, fallen }: Watching): () => void {
  for (const event of RISEN) emitter.on(event, risen)
  for (const event of FALLEN) emitter.on(event, fallen)
  return () => {
    for (const event of RISEN) emitter.off(event, risen)
    for (const event of FALLEN) emitter.off(event, fallen)
  }
}

const watches = new WeakMap<Emitter, Watch>()

/** The one watch of a user's client, however many healths share it: each listener of an event is one towards its limit. */
export function watchOf(connection: Connection): Watch {
  const { emitter } = connection
  const watch = watches.get(emitter) ?? new Watch(connection)
  watches.set(emitter, watch)
  return watch
}

/** Watches a user's client for as long as anybody wants to know. */
export class Watch {
  readonly #connection: Connection
  readonly #watching = new Set<Watching>()
  #stop: () => void = () => undefined
  #hasFallen = false

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Tells of the client from now on. Answers how to stop. */
  add(watching: Watching): () => void {
    if (this.#watching.size === 0) {
      this.#hasFallen = false
      this.#stop = watched(this.#connection.emitter, {
        risen: () => {
          if (this.#connection.state() === 'ready') this.#hasFallen = false
          for (const each of [...this.#watching]) each.risen()
        },
        fallen: () => {
          this.#hasFallen = true
          for (const each of [...this.#watching]) each.fallen()
        },
      })
    }
    this.#watching.add(watching)
    return () => {
      if (this.#watching.delete(watching) && this.#watching.size === 0) this.#stop()
    }
  }

  /** Resolves once a client that connects is connected, or is not; at once where it only tries to come back. */
  connected(): Promise<void> {
    if (this.#hasFallen) return Promise.reject(new Error('redisStore: the client is not connected'))
    return new Promise((resolve) => {
      const look = (isOver: boolean): void => {
        if (!isOver) return
        stop()
        resolve()
      }
      const stop = this.add({
        risen: () => look(this.#connection.state() === 'ready'),
        fallen: () => look(true),
      })
    })
  }
}
