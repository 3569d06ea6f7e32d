import type { Clock } from '../core/clock.ts'
import type { Marks, Observation } from '../core/marks.ts'
import type { Policy } from '../core/policy.ts'
import { NO_SHARE } from '../core/share.ts'
import { answerBetween, drawn } from './draw.ts'
import type { StoreFaultEvent } from './events.ts'
import { BREAKER, keepMs, PROVIDER, pendingsOf, SINCE } from './group-marks.ts'
import { LeaseRoom } from './lease-room.ts'
import { Outbox, type Pending } from './outbox.ts'
import { Reader } from './reader.ts'
import { missingIn } from './refill.ts'
import { Shares } from './shares.ts'
import { isSound, timesOf } from './sound-entry.ts'
import type { StoreEntry, StoreListener, StoreTransport } from './store.ts'
import { StoreState } from './store-state.ts'

/** What a mirror tells the rest of the health. */
export interface MirrorEvents {
  /** The marks as they are now with what other processes know. */
  readonly marked: (marks: Omit<Marks, 'budget'>) => void
  /** A human has answered in another process. */
  readonly answered: (provider: string, outcome: 'resolved' | 'declined') => void
  /** A candidate has recovered in another process. */
  readonly recovered: (candidate: string) => void
  /** Other processes cannot be heard, or told. */
  readonly fault: (fault: StoreFaultEvent['fault']) => void
  readonly healed: () => void
}

/** Three years. Longer ones, and endless ones, would not survive the arithmetic of every store. */
const MOST_MS = 1e11

/** What all processes know, kept here so that nobody waits for the store to read it. */
export class Mirror implements StoreListener {
  /** Resolves once the store's marks are known, or the store is known to be out of reach. */
  readonly ready: Promise<void>
  /** Where calls wait for a probe. */
  readonly room: LeaseRoom
  readonly #id: string
  readonly #clock: () => Clock
  readonly #events: MirrorEvents
  readonly #current: () => Omit<Marks, 'budget'>
  readonly #state: StoreState
  readonly #outbox: Outbox
  readonly #reader: Reader
  readonly #shares = new Shares()
  readonly #answers = new Map<string, Promise<boolean>>()
  readonly #disconnect: () => void | PromiseLike<void>
  #isReady: () => void = () => undefined
  #closed = false

  constructor(
    store: StoreTransport,
    id: string,
    clock: () => Clock,
    current: () => Omit<Marks, 'budget'>,
    events: MirrorEvents,
  ) {
    this.#id = id
    this.room = new LeaseRoom(() => clock().now())
    this.#clock = clock
    this.#current = current
    this.#events = events
    this.ready = new Promise((resolve) => {
      this.#isReady = resolve
    })
    this.#state = new StoreState(events.fault, events.healed)
    this.#outbox = new Outbox(store, clock, id, (fault) => {
      this.#state.failing = fault !== undefined
      this.#judge(fault)
    })
    this.#reader = new Reader(store, clock, (entries) => this.#read(entries))
    this.#disconnect = store.connect({
      connected: () => this.connected(),
      changed: (entries) => this.changed(entries),
      lost: () => this.lost(),
    })
    this.#reader.start()
  }

  /** Tells the other processes what an observation here has changed. */
  observed(policy: Pick<Policy, 'targets'>, observation: Observation, before: Marks, after: Marks): void {
    if (this.#closed) return
    for (const pending of pendingsOf(policy, observation, before, after, this.#clock().now())) this.#send(pending)
    this.#outbox.flush()
  }

  /** Whether the last change sent for a group was its first, as soon as the store says so. */
  answerFor(group: string): Promise<boolean> | undefined {
    return this.#answers.get(group)
  }

  connected(): void {
    if (this.#closed) return
    this.#state.lost = false
    this.#state.unread = true
    this.#reader.read()
  }

  #read(all: readonly StoreEntry[] | undefined): void {
    this.#state.unread = all === undefined
    if (all === undefined) {
      this.#judge('lost')
      return
    }
    const entries = all.filter(isSound)
    const kept = new Set(entries.map(({ group }) => group))
    const nowMs = this.#clock().now()
    const forgotten = this.#shares.forget((group) => kept.has(group), nowMs)
    if (forgotten.size > 0) this.#draw(forgotten, new Set(), nowMs)
    this.changed(entries)
    for (const missing of missingIn(entries, this.#shares, nowMs)) void this.#outbox.send(missing)
    this.#outbox.hurry()
    this.#judge(undefined)
  }

  changed(entries: readonly StoreEntry[]): void {
    if (this.#closed) return
    const nowMs = this.#clock().now()
    /** Changed groups with the names of all marks that they had. */
    const names = new Map<string, ReadonlySet<string>>()
    const answered = new Set<string>()
    let isSwept = false
    for (const entry of entries) {
      if (!isSound(entry)) continue
      const { group, generation } = entry
      const had = Object.keys(this.#shares.get(group)?.untilMs ?? {})
      const untilMs = timesOf(entry, this.#shares.held(group, nowMs), this.#id, nowMs)
      const change = this.#shares.join(group, { generation, untilMs }, nowMs)
      if (change === undefined) continue
      names.set(group, new Set([...(names.get(group) ?? []), ...had]))
      const { before, after, younger } = change
      if (Object.keys(younger).length > 0) {
        isSwept = true
        this.#send({ group, generation: null, untilMs: younger, keepMs: keepMs(group) })
      }
      // What was not known of before is no news: a process that starts late has missed it.
      if (before === NO_SHARE) continue
      if (group.startsWith(PROVIDER)) answered.add(group.slice(PROVIDER.length))
      else if (group.startsWith(BREAKER) && after.generation > before.generation) {
        this.#events.recovered(group.slice(BREAKER.length))
      }
    }
    if (names.size > 0) this.#draw(names, answered, nowMs)
    if (isSwept) this.#outbox.flush()
  }

  lost(): void {
    if (this.#closed) return
    this.#state.lost = true
    this.#judge('lost')
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#outbox.close()
    this.#reader.close()
    this.#isReady()
    await this.#disconnect()
  }

  #send(observed: Pending): void {
    const nowMs = this.#clock().now()
    const untilMs = Object.fromEntries(
      Object.entries(observed.untilMs).map(([name, until]) => [name, Math.min(until, nowMs + MOST_MS)]),
    )
    const pending = { ...observed, untilMs }
    const { group } = pending
    const { generation, untilMs: known } = this.#shares.held(group, nowMs)
    if (pending.generation === null && generation > 0 && known[SINCE] !== undefined) {
      // A store that came back empty would tell this in a generation that nobody listens to any more.
      void this.#outbox.send({ group, generation, untilMs: { [SINCE]: known[SINCE] }, keepMs: pending.keepMs })
    }
    this.#shares.join(group, pending, nowMs)
    const answer = this.#outbox.send(pending)
    this.#answers.set(group, answer)
    void answer.then(() => {
      if (this.#answers.get(group) === answer) this.#answers.delete(group)
    })
  }

  #draw(names: ReadonlyMap<string, ReadonlySet<string>>, answered: ReadonlySet<string>, nowMs: number): void {
    const before = this.#current()
    const after = drawn(before, names, (group) => this.#shares.get(group), nowMs)
    this.#events.marked(after)
    for (const provider of answered) {
      const outcome = answerBetween(before, after, provider)
      if (outcome !== undefined) this.#events.answered(provider, outcome)
    }
  }

  /** Known, or known to be out of reach: either way nobody need wait for more. */
  #judge(fault: StoreFaultEvent['fault'] | undefined): void {
    if (this.#closed) return
    this.#isReady()
    this.#state.judge(fault)
  }
}
