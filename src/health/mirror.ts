import type { Clock } from '../core/clock.ts'
import type { Marks, Observation } from '../core/marks.ts'
import { providerMark } from '../core/marks.ts'
import type { Policy } from '../core/policy.ts'
import { joined, lastMs, NO_SHARE, type Share } from '../core/share.ts'
import { drawGroup, keepMs, PROVIDER, pendingsOf } from './group-marks.ts'
import { LeaseRoom } from './lease-room.ts'
import { Outbox, type Pending } from './outbox.ts'
import { missingIn } from './refill.ts'
import { isSound } from './sound-entry.ts'
import type { HealthStore, StoreEntry, StoreListener } from './store.ts'

/** What a mirror tells the rest of the health. */
export interface MirrorEvents {
  /** The marks as they are now with what other processes know. */
  readonly marked: (marks: Omit<Marks, 'budget'>) => void
  /** A human has answered in another process. */
  readonly answered: (provider: string, outcome: 'resolved' | 'declined') => void
  /** Other processes cannot be heard, or told. */
  readonly fault: (fault: 'lost' | 'rejected' | 'timed_out') => void
  readonly healed: () => void
}

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
  readonly #outbox: Outbox
  readonly #shares = new Map<string, Share>()
  readonly #answers = new Map<string, Promise<boolean>>()
  readonly #disconnect: () => void | PromiseLike<void>
  #isReady: () => void = () => undefined
  #closed = false
  #lost = false
  #failing = false
  #faulty = false
  #sweptMs = 0

  constructor(
    store: HealthStore,
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
    this.#outbox = new Outbox(store, clock, id, (fault) => {
      this.#failing = fault !== undefined
      this.#judge(fault)
    })
    this.#disconnect = store.connect({
      synced: (entries) => this.synced(entries),
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

  synced(entries: readonly StoreEntry[]): void {
    if (this.#closed) return
    this.changed(entries)
    for (const missing of missingIn(entries, this.#shares, this.#clock().now())) void this.#outbox.send(missing)
    this.#lost = false
    this.#outbox.hurry()
    this.#judge(undefined)
    this.#isReady()
  }

  changed(entries: readonly StoreEntry[]): void {
    if (this.#closed) return
    const nowMs = this.#clock().now()
    /** Changed groups with the names of all marks that they had or have. */
    const names = new Map<string, Set<string>>()
    for (const entry of entries) {
      if (!isSound(entry)) continue
      const held = this.#shares.get(entry.group) ?? NO_SHARE
      const share = joined(held, { generation: entry.generation, untilMs: this.#timesOf(entry, held, nowMs) })
      if (share === held) continue
      this.#shares.set(entry.group, share)
      const known = names.get(entry.group) ?? new Set(Object.keys(held.untilMs))
      names.set(entry.group, known)
    }
    this.#sweep(names, nowMs)
    if (names.size > 0) this.#draw(names, nowMs)
  }

  lost(): void {
    if (this.#closed) return
    this.#lost = true
    this.#judge('lost')
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#outbox.close()
    this.#isReady()
    await this.#disconnect()
  }

  #send(pending: Pending): void {
    const { group } = pending
    this.#shares.set(group, joined(this.#shares.get(group) ?? NO_SHARE, pending))
    const answer = this.#outbox.send(pending)
    this.#answers.set(group, answer)
    void answer.then(() => {
      if (this.#answers.get(group) === answer) this.#answers.delete(group)
    })
  }

  /** Durations as times of the own clock. What was told from here comes back later, and would be longer each time. */
  #timesOf(entry: StoreEntry, held: Share, nowMs: number): Record<string, number> {
    const own = entry.by === this.#id && entry.generation === held.generation
    const marks = Object.entries(entry.marks).filter(([name]) => !own || held.untilMs[name] === undefined)
    return Object.fromEntries(marks.map(([name, ms]) => [name, nowMs + ms]))
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

  /** One event when something goes wrong, one when all is well again. */
  #judge(fault: 'lost' | 'rejected' | 'timed_out' | undefined): void {
    if (this.#closed) return
    if (fault !== undefined) {
      this.#isReady()
      if (!this.#faulty) {
        this.#faulty = true
        this.#events.fault(fault)
      }
    } else if (this.#faulty && !this.#lost && !this.#failing) {
      this.#faulty = false
      this.#events.healed()
    }
  }
}
