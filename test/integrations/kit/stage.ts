import type { Clock, HealthEventName, HealthEvents } from 'heed'
import { leapingClock } from '../../replay/leaping-clock.ts'
import type { Host, HostCandidate, HostDriver, HostOptions } from './host.ts'
import { type ProviderServer, type Script, startProvider } from './provider-server.ts'

/** Where the wall clock stands: before every reset that a body of the kit names. */
export const WALL_MS = Date.UTC(2026, 0, 1)

/** A host between two providers, with all that its health channel said. */
export interface Stage {
  readonly host: Host
  readonly servers: readonly [a: ProviderServer, b: ProviderServer]
  /** The events of one name, in order. */
  of<N extends HealthEventName>(name: N): readonly HealthEvents[N][]
  /** Requests that each server counted. */
  counted(): readonly [number, number]
  /** Attempts that the health channel told of, by candidate. */
  attempted(): readonly [number, number]
}

export interface Setting {
  readonly a: Script
  readonly b: Script
  readonly windows?: readonly [a: number, b: number]
  readonly options?: HostOptions
  readonly clock?: Clock
  /** @default the driver's `start` */
  readonly start?: HostDriver['start']
}

const HEARD = ['attempt', 'failure', 'retry', 'pause', 'commit', 'success', 'surface', 'auth_prompt', 'resume'] as const

/** Sets a stage, plays on it and takes it down. No randomness, and no wait but those that the setting asks for. */
export async function onStage(
  driver: HostDriver,
  { a, b, windows, options, clock = leapingClock(WALL_MS), start = driver.start }: Setting,
  play: (stage: Stage) => Promise<void>,
): Promise<void> {
  const servers = [await startProvider(a), await startProvider(b)] as const
  try {
    const candidates: readonly HostCandidate[] = servers.map(({ url }, at) => ({
      id: at === 0 ? 'a' : 'b',
      provider: at === 0 ? 'one' : 'two',
      model: at === 0 ? 'model-a' : 'model-b',
      baseUrl: url,
      ...(windows === undefined ? undefined : { contextWindow: windows[at] as number }),
    }))
    const host = await start(candidates, { clock, random: () => 0, backoff: () => 0, ...options })
    const heard: { readonly name: HealthEventName; readonly event: unknown }[] = []
    for (const name of HEARD) host.health.on(name, (event) => heard.push({ name, event }))
    const of = <N extends HealthEventName>(name: N): readonly HealthEvents[N][] =>
      heard.filter((each) => each.name === name).map(({ event }) => event as HealthEvents[N])
    const attemptsAt = (id: string): number => of('attempt').filter(({ candidate }) => candidate === id).length
    await play({
      host,
      servers,
      of,
      counted: () => [servers[0].requests.length, servers[1].requests.length],
      attempted: () => [attemptsAt('a'), attemptsAt('b')],
    })
  } finally {
    await Promise.all(servers.map((server) => server.close()))
  }
}

/** Turns of the event loop until something is so. */
export async function until(so: () => boolean): Promise<void> {
  while (!so()) await new Promise((resolve) => setImmediate(resolve))
}

/** A promise to be resolved from outside. */
export function gate(): { readonly open: () => void; readonly opened: Promise<void> } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}
