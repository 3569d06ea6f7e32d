import type { Connection, Listening } from './packages.ts'
import { type Watch, watched } from './watch.ts'

/** Told by a driver. */
export interface Told {
  readonly message: (text: string) => void
  /** Both the client and the connection that listens work. */
  readonly connected: () => void
  /** One of them does not. */
  readonly lost: () => void
}

const ignored = (): void => undefined

/**
 * Listens on a connection beside a user's client, which is open only while that is: when the user ends the client it
 * ends too, and when the user connects the client again there is a new one. Answers how to stop.
 */
export function listen(client: Connection, watch: Watch, channel: string, told: Told): () => void {
  let own: Listening | undefined
  let isClosed = false
  let hears = false

  const lost = (): void => {
    hears = false
    if (!isClosed) told.lost()
  }
  const drop = (): void => {
    const dropped = own
    own = undefined
    if (dropped !== undefined) end(dropped)
  }
  const open = (): Listening => {
    const opened = client.beside(channel, (text) => {
      if (own === opened) told.message(text)
    })
    const risen = (): void => {
      if (own === opened) look()
      // It was ended while it connected, and one of `redis` connects all the same.
      else if (opened.state() !== 'ended') end(opened)
    }
    const fallen = (): void => {
      if (own === opened) lost()
    }
    watched(opened.emitter, { risen, fallen })
    // Nobody else listens there, and an error that nobody hears ends the process. Some break nothing.
    opened.emitter.on('error', () => {
      if (opened.state() !== 'ready') fallen()
    })
    opened.connecting.then(risen, fallen)
    return opened
  }
  const look = (): void => {
    if (client.state() === 'ended') return
    // The connection that listens may have given up before the client has.
    if (own?.state() === 'ended') drop()
    own ??= open()
    if (client.state() === 'ready' && own.state() === 'ready') subscribe(own)
  }
  const subscribe = (listening: Listening): void => {
    const isStill = (): boolean => own === listening && client.state() === 'ready' && listening.state() === 'ready'
    listening.subscribed().then(
      () => {
        // Both ends say that they are ready: once is enough to read what was missed.
        if (hears || !isStill()) return
        hears = true
        told.connected()
      },
      () => {
        if (isStill()) lost()
      },
    )
  }

  const stop = watch.add({
    risen: look,
    fallen: () => {
      if (client.state() === 'ended') drop()
      lost()
    },
  })
  look()
  // Not before whoever listens has his way to stop in hand.
  if (client.state() === 'ended' || client.state() === 'broken') void Promise.resolve().then(lost)
  return () => {
    if (isClosed) return
    isClosed = true
    stop()
    drop()
  }
}

function end(listening: Listening): void {
  listening.connecting.catch(ignored)
  try {
    listening.end()
  } catch {
    // It was closed already: that is all that was wanted.
  }
}
