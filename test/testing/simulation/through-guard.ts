import { type Candidate, type HeedOptions, heed, policyOf } from 'heed'
import { type Clients, heedClients, type NextStep, type ServerScript, simulate } from 'heed/testing'
import { randomFor } from '../../../src/testing/simulation/random.ts'
import { Server } from '../../../src/testing/simulation/server.ts'
import { type SteppedClock, steppedClock } from './stepped-clock.ts'

/** Servers, and how a guard over all of them is configured. */
export interface Scene {
  readonly scripts: readonly ServerScript[]
  readonly options?: Partial<HeedOptions<Candidate>>
  readonly credentials?: readonly string[]
}

/** What came of a scene: every request in order, and the counts. */
export interface Seen {
  readonly asked: readonly string[]
  readonly served: number
  readonly prompts: number
}

const SEED = 3
const FOR_MS = 60_000
const CALLS_PER_SEC = 5
const TIMEOUT_MS = 1_000

const chainOf = ({ scripts, credentials }: Scene) =>
  scripts.map((_, place) => ({
    id: `server ${place}`,
    provider: `provider ${place}`,
    place,
    ...(credentials === undefined ? {} : { credentials }),
  }))

const request = (atMs: number, server: number, credential: string | undefined): string =>
  `${atMs.toFixed(6)} ms: server ${server}${credential === undefined ? '' : ` with ${credential}`}`

/** Runs the calls through the simulator. Answers also when anything happened there. */
export function throughSimulation(scene: Scene): { readonly seen: Seen; readonly times: readonly number[] } {
  const asked: string[] = []
  const times: number[] = []
  const behaviour = heedClients(policyOf({ ...scene.options, candidates: chainOf(scene) }))
  const { served, prompts } = simulate({
    seed: SEED,
    clients: 1,
    callsPerSec: CALLS_PER_SEC,
    forMs: FOR_MS,
    timeoutMs: TIMEOUT_MS,
    arrivals: 'even',
    servers: scene.scripts,
    behaviour: { name: 'heard', start: (...given) => heard(behaviour.start(...given), times, asked) },
  })
  return { seen: { asked, served, prompts }, times }
}

function heard(clients: Clients, times: number[], asked: string[]): Clients {
  const noted = (step: NextStep, nowMs: number): NextStep => {
    times.push(nowMs)
    if (step.kind === 'attempt') asked.push(request(nowMs, step.server, step.credential))
    return step
  }
  return {
    begin: (call, nowMs) => noted(clients.begin(call, nowMs), nowMs),
    failed: (call, failure, nowMs) => noted(clients.failed(call, failure, nowMs), nowMs),
    woken: (call, nowMs) => noted(clients.woken(call, nowMs), nowMs),
    served: (call, nowMs) => clients.served(call, nowMs),
    resolved: (server) => clients.resolved?.(server) ?? [],
    get prompts() {
      return clients.prompts ?? 0
    },
  }
}

/** Runs the same calls through a real guard. */
export async function throughGuard(scene: Scene, times: readonly number[]): Promise<Seen> {
  const clock = steppedClock(times)
  const asked: string[] = []
  const servers = scene.scripts.map((script, place) => new Server(script, randomFor(SEED, `server ${place}`)))
  const guard = heed({
    ...scene.options,
    candidates: chainOf(scene),
    clock,
    random: randomFor(SEED, 'behaviour'),
    attemptTimeoutMs: TIMEOUT_MS,
    idempotent: true,
  })
  let prompts = 0
  guard.health.on('auth_prompt', () => {
    prompts += 1
  })
  for (const [place, { phases = [] }] of scene.scripts.entries()) {
    for (const { kind, untilMs } of phases) {
      if (kind === 'revoked_key') void clock.at(untilMs).then(() => guard.auth.resolve(`provider ${place}`))
    }
  }
  const calls = Array.from({ length: (FOR_MS / 1_000) * CALLS_PER_SEC }, async (_, index) => {
    await clock.at((index * 1_000) / CALLS_PER_SEC)
    return guard.settle(({ candidate: { place }, credential }) => {
      asked.push(request(clock.now(), place, credential as string | undefined))
      return answer(servers[place] as Server, credential as string | undefined, clock)
    })
  })
  await clock.run()
  const outcomes = await Promise.all(calls)
  return { asked, served: outcomes.filter(({ status }) => status === 'completed').length, prompts }
}

async function answer(server: Server, credential: string | undefined, clock: SteppedClock): Promise<void> {
  const endMs = server.ask(clock.now(), credential)
  const { refusal } = server
  await clock.at(endMs)
  if (refusal === undefined) return
  const { class: stated, retryAfterSecs } = refusal
  throw { class: stated, retry_after_secs: retryAfterSecs }
}
