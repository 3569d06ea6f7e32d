import type { Clock } from '../core/clock.ts'
import type { Marks, Observation } from '../core/marks.ts'
import { providerMark } from '../core/marks.ts'
import type { Policy } from '../core/policy.ts'
import { joined, lastMs, NO_SHARE, type Share } from '../core/share.ts'
import type { StoreFaultEvent } from './events.ts'
import { BREAKER, drawGroup, keepMs, PROVIDER, pendingsOf } from './group-marks.ts'
import { LeaseRoom } from './lease-room.ts'
import { Outbox, type Pending } from './outbox.ts'
import { Reader } from './reader.ts'
import { missingIn } from './refill.ts'
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
/** Marks that have passed are looked for this often, when news arrive. */
const SWEEP_MS = 60_000

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
  readonly #shares = new Map<string, Share>()
  readonly #answers = new Map<string, Promise<boolean>>()
  readonly #disconnect: () => void | PromiseLike<void>
  #isReady: () => void = () => undefined
  #closed = false
  #sweptMs = 0

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
  }

  /** Tells the other processes what an observation here has changed. */
  observed(policy: Pick<Policy, 'targets'>, observation: Observation, before: Marks, after: Marks): void {
    if (this.#closed) return
    for (const pending of pendingsOf(policy, observation, before, after, this.#clock().now())) this.#send(pending)
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
    this.changed(entries)
    for (const missing of missingIn(entries, this.#shares, this.#clock().now())) void this.#outbox.send(missing)
    this.#outbox.hurry()
    this.#judge(undefined)
  }

  changed(entries: readonly StoreEntry[]): void {
    if (this.#closed) return
    const nowMs = this.#clock().now()
    /** Changed groups with the names of all marks that they had or have. */
    const names = new Map<string, Set<string>>()
    for (const entry of entries) {
      if (!isSound(entry)) continue
      const held = this.#shares.get(entry.group) ?? NO_SHARE
      const share = joined(held, { generation: entry.generation, untilMs: timesOf(entry, held, this.#id, nowMs) })
      if (share === held) continue
      const isOver = entry.group.startsWith(BREAKER) && share.generation > held.generation
      if (isOver && held !== NO_SHARE) this.#events.recovered(entry.group.slice(BREAKER.length))
      this.#shares.set(entry.group, share)
      const known = names.get(entry.group) ?? new Set(Object.keys(held.untilMs))
      names.set(entry.group, known)
    }
    this.#sweep(names, nowMs)
    if (names.size > 0) this.#draw(names, nowMs)
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
    const mostMs = this.#clock().now() + MOST_MS
    const untilMs = Object.fromEntries(
      Object.entries(observed.untilMs).map(([name, until]) => [name, Math.min(until, mostMs)]),
    )
    const pending = { ...observed, untilMs }
    const { group } = pending
    this.#shares.set(group, joined(this.#shares.get(group) ?? NO_SHARE, pending))
    const answer = this.#outbox.send(pending)
    this.#answers.set(group, answer)
    void answer.then(() => {
      if (this.#answers.get(group) === answer) this.#answers.delete(group)
    })
  }

  #draw(names: ReadonlyMap<string, ReadonlySet<string>>, nowMs: number): void {
    const before = this.#current()
    const draft = {
      cooling: { ...before.cooling },
      providers: { ...before.providers },
      dead: { ...before.dead },
    }
    for (const [group, known] of names) drawGroup(draft, group, (of) => this.#shares.get(of), known, nowMs)
    const { cooling, providers, dead } = draft
    this.#events.marked({ cooling, providers, ...(Object.keys(dead).length > 0 ? { dead } : {}) })
    for (const group of names.keys()) {
      if (!group.startsWith(PROVIDER)) continue
      const provider = group.slice(PROVIDER.length)
      const [then, now] = [providerMark(before, provider), providerMark(draft, provider)]
      if (now.declined && !then.declined) this.#events.answered(provider, 'declined')
      else if (now.generation > then.generation) this.#events.answered(provider, 'resolved')
    }
  }

  /** Forgets candidates that nobody has marked for long. */
  #sweep(names: Map<string, Set<string>>, nowMs: number): void {
    if (nowMs - this.#sweptMs < SWEEP_MS) return
    this.#sweptMs = nowMs
    for (const [group, share] of this.#shares) {
      if (group.startsWith(PROVIDER) || lastMs(share) + keepMs(group) > nowMs || names.has(group)) continue
      this.#shares.delete(group)
      names.set(group, new Set(Object.keys(share.untilMs)))
    }
  }

  /** Known, or known to be out of reach: either way nobody need wait for more. */
  #judge(fault: StoreFaultEvent['fault'] | undefined): void {
    if (this.#closed) return
    this.#isReady()
    this.#state.judge(fault)
  }
}
