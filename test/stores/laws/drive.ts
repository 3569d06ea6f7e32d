import { isDeepStrictEqual } from 'node:util'
import {
  createHealth,
  decide,
  type HealthEvents,
  type HealthSnapshot,
  type HealthStore,
  heed,
  type Outcome,
  type StoreEntry,
} from 'heed'
import { fakeClock, memoryStore, producedError } from 'heed/testing'
import type { FleetScenario } from './scenario.ts'

/** Something that happened in one of the instances, by the one true clock. */
export type FleetEntry = { readonly at: number; readonly instance: number } & (
  | {
      readonly kind: 'invoked'
      readonly candidate: string
      readonly provider: string
      readonly credential: string
      /** What the instance knew when it started the attempt. */
      readonly known: HealthSnapshot
    }
  | { readonly kind: 'hint'; readonly candidate: string; readonly credential: string; readonly untilMs: number }
  | { readonly kind: 'revived'; readonly candidate: string }
  | { readonly kind: 'told'; readonly entries: readonly StoreEntry[]; readonly known: HealthSnapshot }
  | { readonly kind: 'prompt'; readonly event: HealthEvents['auth_prompt'] }
  | { readonly kind: 'chain_dead'; readonly event: HealthEvents['chain_dead']; readonly known: HealthSnapshot }
  | { readonly kind: 'repeat'; readonly candidate: string }
  | { readonly kind: 'attempted'; readonly candidate: string }
  | { readonly kind: 'replayed'; readonly equal: boolean }
)

/** The scheduler picks a message this often. */
const PICK_MS = 100

/** What a scenario came to. */
export interface FleetRun {
  readonly log: readonly FleetEntry[]
  /** What the store's clock is ahead of the true one. */
  readonly aheadMs: number
  readonly outcomes: readonly { readonly instance: number; readonly outcome: Outcome<unknown, unknown> }[]
  /** What each instance knows in the end, once every message has arrived. */
  readonly snapshots: readonly HealthSnapshot[]
}

/** Lives a scenario through. A call that never settles makes the clock throw. */
export async function driveFleet(scenario: FleetScenario): Promise<FleetRun> {
  const clock = fakeClock({ startMs: 1_000_000 })
  const aheadMs = (await memoryStore({ clock }).read()).atMs - clock.now()
  const log: FleetEntry[] = []
  let messages = 0
  let isOver = false
  const store = memoryStore({
    clock,
    travel: (arrive) => {
      const way = scenario.network[messages % scenario.network.length] ?? 0
      messages += 1
      if (way === 0 || isOver) arrive()
      else if (way === 'scheduled') void scenario.scheduler.schedule(Promise.resolve()).then(arrive)
      else if (way !== 'lost') clock.setTimeout(arrive, way)
    },
  })
  const pick = (): void => {
    if (scenario.scheduler.count() > 0) void scenario.scheduler.waitNext(1)
    if (!isOver) clock.setTimeout(pick, PICK_MS)
  }
  pick()
  const used = new Map<string, number>()
  const repeated = new Map<string, string>()
  const members = scenario.instances.map(({ skewMs }, instance) => {
    const skewed = { ...clock, now: () => clock.now() + skewMs }
    const note = (entry: object): void => {
      log.push({ at: clock.now(), instance, ...entry } as FleetEntry)
    }
    const overheard: HealthStore = {
      ...store,
      connect: (listener) =>
        store.connect({
          ...listener,
          changed: (news) => {
            listener.changed(news)
            note({ kind: 'told', entries: news.entries, known: health.snapshot() })
          },
        }),
    }
    const health = createHealth({ store: overheard, clock: skewed, random: () => 0.25 })
    health.on('auth_prompt', (event) => note({ kind: 'prompt', event }))
    health.on('chain_dead', (event) => note({ kind: 'chain_dead', event, known: health.snapshot() }))
    // An answer to an attempt that a timeout has cut is heard by nobody.
    health.on('failure', ({ class: stated, retryAfterSecs = 0, candidate, credential = '' }) => {
      if (stated !== 'transient' || retryAfterSecs === 0) return
      note({ kind: 'hint', candidate, credential, untilMs: clock.now() + retryAfterSecs * 1_000 })
    })
    health.on('decision', ({ policy, input, decision }) => {
      note({ kind: 'replayed', equal: isDeepStrictEqual(decide(policy, input), decision) })
    })
    const guard = heed({
      candidates: scenario.candidates,
      clock: skewed,
      random: () => 0.25,
      health,
      maxPauseMs: 20_000,
      permanentFor: scenario.permanentFor,
    })
    const call = async (attempt: {
      readonly candidate: FleetScenario['candidates'][number]
      readonly credential: string | undefined
      readonly callId: string
    }): Promise<string> => {
      const { candidate, credential = '', callId } = attempt
      const at = { candidate: candidate.id, credential }
      note({ kind: 'invoked', ...at, provider: candidate.provider, known: health.snapshot() })
      const key = `${callId} ${candidate.id}`
      if (repeated.get(key) === 'transient') note({ kind: 'repeat', candidate: candidate.id })
      if (!repeated.has(key)) note({ kind: 'attempted', candidate: candidate.id })
      repeated.set(key, '')
      const place = used.get(candidate.id) ?? 0
      used.set(candidate.id, place + 1)
      const step = candidate.steps[place] ?? { afterMs: 0 }
      if (step.afterMs > 0) await new Promise<void>((done) => clock.setTimeout(() => done(), step.afterMs))
      if (step.class === undefined) return candidate.id
      repeated.set(key, step.class)
      const { hintSecs } = step
      throw producedError(step.class, hintSecs === undefined ? {} : { retryAfterSecs: hintSecs })
    }
    const revive = (candidate: string): void => {
      note({ kind: 'revived', candidate })
      health.revive(candidate)
    }
    return { guard, health, call, revive }
  })

  const outcomes: { instance: number; outcome: Outcome<unknown, unknown> }[] = []
  const settled = scenario.calls.map(
    ({ instance, atMs, timeoutMs }) =>
      new Promise<void>((resolve) => {
        clock.setTimeout(() => {
          const member = members[instance] as (typeof members)[number]
          void member.guard.settle(member.call, { timeoutMs }).then((outcome) => {
            outcomes.push({ instance, outcome })
            resolve()
          })
        }, atMs)
      }),
  )
  for (const { instance, atMs, does, provider } of scenario.answers) {
    clock.setTimeout(() => members[instance]?.guard.auth[does](provider), atMs)
  }
  for (const { instance, atMs, candidate } of scenario.revivals) {
    clock.setTimeout(() => members[instance]?.revive(candidate), atMs)
  }
  for (const { atMs, forMs, empty } of scenario.cuts) {
    clock.setTimeout(() => {
      store.disconnect()
      if (empty) store.clear()
    }, atMs)
    clock.setTimeout(() => store.reconnect(), atMs + forMs)
  }
  await clock.run(Promise.all(settled))
  // The network mends: what was under way arrives, and what was lost is read.
  isOver = true
  while (scenario.scheduler.count() > 0) await scenario.scheduler.waitNext(1)
  await clock.advance(10_000)
  store.reconnect()
  await clock.advance(1_000)
  store.reconnect()
  await clock.advance(10)
  const snapshots = members.map(({ health }) => health.snapshot())
  for (const { health } of members) await health.close()
  return { log, aheadMs, outcomes, snapshots }
}
