/** How it stands with a connection. `broken` mends itself, `ended` does not. */
export type State = 'ready' | 'connecting' | 'broken' | 'ended'

/** What emits events in either package. */
export interface Emitter {
  on(event: string, listener: (...args: never[]) => void): unknown
  off(event: string, listener: (...args: never[]) => void): unknown
}

/** A client of either package. */
export interface Connection {
  readonly emitter: Emitter
  state(): State
  run(script: string, keys: readonly string[], args: readonly string[]): Promise<unknown>
  /** Opens another like it, to listen on a channel. */
  beside(channel: string, message: (text: string) => void): Listening
}

/** A connection that listens. */
export interface Listening {
  readonly emitter: Emitter
  state(): State
  /** Settles once it is connected, or is not. */
  readonly connecting: Promise<unknown>
  /** Resolves once it is told what is said on its channel; asked for whenever it is ready again. */
  subscribed(): Promise<unknown>
  end(): void
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

/** A user's client, whichever package it is of. */
export function connectionOf(client: unknown): Connection {
  return 'evalSha' in (client as object) ? nodeRedis(client as NodeRedis) : ioredis(client as Ioredis)
}

const STATES: Readonly<Record<string, State>> = {
  // A lazy client connects at its first command.
  wait: 'ready',
  ready: 'ready',
  connecting: 'connecting',
  connect: 'connecting',
  end: 'ended',
}

function ioredis(client: Ioredis): Connection {
  const stateOf = ({ status }: Ioredis): State => STATES[status] ?? 'broken'
  return {
    emitter: client,
    state: () => stateOf(client),
    run: (script, keys, args) => client.eval(script, keys.length, ...keys, ...args),
    beside: (channel, message) => {
      const own = client.duplicate()
      own.on('message', (_channel: string, text: string) => message(text))
      return {
        emitter: own,
        state: () => stateOf(own),
        connecting: own.status === 'wait' ? own.connect() : Promise.resolve(),
        // Unless its options say no it subscribes again by itself: this is to know when it has.
        subscribed: () => own.subscribe(channel),
        end: () => own.disconnect(),
      }
    },
  }
}

function nodeRedis(client: NodeRedis): Connection {
  const stateOf = ({ isOpen, isReady = isOpen }: NodeRedis): State =>
    isReady ? 'ready' : isOpen ? 'connecting' : 'ended'
  return {
    emitter: client,
    state: () => stateOf(client),
    run: (script, keys, args) => client.eval(script, { keys, arguments: args }),
    beside: (channel, message) => {
      const own = client.duplicate()
      let subscribed: Promise<unknown> | undefined
      return {
        emitter: own,
        state: () => stateOf(own),
        connecting: own.connect(),
        subscribed: async () => {
          // It keeps its subscriptions over reconnections; a second one would tell everything twice.
          subscribed ??= own.subscribe(channel, message)
          try {
            await subscribed
          } catch (cause) {
            subscribed = undefined
            throw cause
          }
        },
        end: () => own.destroy(),
      }
    },
  }
}
