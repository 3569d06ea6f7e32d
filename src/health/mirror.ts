import type { Clock } from '../core/clock.ts'
import type { Marks, Observation } from '../core/marks.ts'
import type { Policy } from '../core/policy.ts'
import { joined, NO_SHARE } from '../core/share.ts'
import { Asker } from './asker.ts'
import { answerBetween, drawn } from './draw.ts'
import type { StoreFaultEvent } from './events.ts'
import { BREAKER, type Change, changesOf, isClosedBy, PROVIDER } from './group-marks.ts'
import { LeaseRoom } from './lease-room.ts'
import type { MirrorEvents } from './mirror-events.ts'
import { Outbox } from './outbox.ts'
import { Reader } from './reader.ts'
import { Shares } from './shares.ts'
import { isNews, isSound, isTime } from './sound-entry.ts'
import type { StoreAnswer, StoreEntry, StoreListener, StoreNews, StoreTransport } from './store.ts'
import { StoreState } from './store-state.ts'

/** What all processes know, kept here so that nobody waits for the store to read it. */
export class Mirror {
  /** Resolves once the store's marks are known, or the store is known to be out of reach. */
  readonly ready: Promise<void>
  /** Sees to it that humans are asked. */
  readonly asker: Asker
  /** Where calls wait for a probe. */
  readonly room: LeaseRoom
  readonly #store: StoreTransport
  readonly #clock: () => Clock
  readonly #events: MirrorEvents
  readonly #current: () => Omit<Marks, 'budget'>
  readonly #state: StoreState
  readonly #outbox: Outbox
  readonly #reader: Reader
  readonly #shares = new Shares()
  readonly #answers = new Map<string, Promise<boolean | undefined>>()
  readonly #disconnect: Promise<unknown>
  #isReady: () => void = () => undefined
  #closed = false

  constructor(store: StoreTransport, clock: () => Clock, current: () => Omit<Marks, 'budget'>, events: MirrorEvents) {
    this.room = new LeaseRoom(() => clock().now())
    this.#store = store
    this.#clock = clock
    this.#current = current
    this.#events = events
    this.ready = new Promise((resolve) => {
      this.#isReady = resolve
    })
    this.#state = new StoreState(events.fault, events.healed)
    this.#outbox = new Outbox(
      (take) => this.#publish(take),
      clock,
      (fault) => {
        this.#state.failing = fault !== undefined
        this.#judge(fault)
      },
    )
    this.asker = new Asker(this.#shares, (group) => {
      const answer = this.#outbox.send(group)
      this.#outbox.flush()
      return answer
    })
    this.#reader = new Reader(store, clock, (all, askedMs) => this.#read(all, askedMs))
    const listener: StoreListener = {
      connected: () => this.#connected(),
      changed: (news) => this.#changed(news),
      lost: () => this.#lost(),
    }
    this.#disconnect = Promise.resolve<unknown>(store.connect(listener)).catch(() => undefined)
    this.#reader.start()
  }

  /** Tells the other processes what an observation here has changed. */
  observed(policy: Pick<Policy, 'targets'>, observation: Observation, before: Marks, after: Marks): void {
    if (this.#closed) return
    const nowMs = this.#clock().now()
    for (const change of changesOf(policy, observation, before, after, nowMs)) this.#send(change)
    this.#outbox.flush()
  }

  /** Whether the last change sent for a group was its first, as soon as the store says so; nothing where it does not. */
  answerFor(group: string): Promise<boolean | undefined> | undefined {
    return this.#answers.get(group)
  }

  #connected(): void {
    if (this.#closed) return
    this.#state.lost = false
    this.#state.unread = true
    this.#reader.read()
  }

  #read(all: StoreNews | undefined, askedMs: number): void {
    this.#state.unread = all === undefined
    if (all === undefined) {
      this.#judge('lost')
      return
    }
    const nowMs = this.#heard(all, askedMs)
    const entries = all.entries.filter(isSound)
    this.#take(entries, this.#shares.forget(nowMs), nowMs)
    this.#shares.haveJoinedAll()
    const theirs = new Map(entries.map((entry) => [entry.group, entry]))
    for (const [group, share] of this.#shares.entries()) {
      // It came back empty, or has missed something while it could not be reached.
      const held = theirs.get(group) ?? NO_SHARE
      if (joined(held, share) !== held) void this.#outbox.send(group)
    }
    this.#outbox.hurry()
    this.#isReady()
    this.#judge(undefined)
    for (const provider of this.asker.unasked(nowMs)) this.#events.unasked(provider)
  }

  #changed(news: StoreNews): void {
    if (this.#closed || !isNews(news)) return
    this.#take(news.entries.filter(isSound), [], this.#heard(news))
  }

  /** Learns the store's clock. Answers the time. */
  #heard({ atMs }: Pick<StoreNews, 'atMs'>, askedMs?: number): number {
    if (!isTime(atMs)) throw new TypeError('the store shows no time')
    const nowMs = this.#clock().now()
    this.#shares.shown(atMs, nowMs, askedMs)
    return nowMs
  }

  /** Joins what is told, and draws that and what has been forgotten. */
  #take(entries: readonly StoreEntry[], forgotten: readonly string[], nowMs: number): void {
    const told = new Set(forgotten)
    const answered: string[] = []
    for (const entry of entries) {
      if (this.#shares.isOver(entry, nowMs)) continue
      const { group } = entry
      // Also what is no news to the shares: marks of the own making are a little later there, by what clocks leave open.
      told.add(group)
      const before = this.#shares.join(group, entry)
      // What was not known of before is no news: a process that starts late has missed it.
      if (before === undefined || before === NO_SHARE) continue
      if (group.startsWith(PROVIDER)) answered.push(group.slice(PROVIDER.length))
      if (isClosedBy(before, entry)) this.#events.closed(group.slice(BREAKER.length))
    }
    if (told.size > 0) this.#draw(told, answered, nowMs)
  }

  #lost(): void {
    if (this.#closed) return
    this.#state.lost = true
    this.#judge('lost')
  }

  /** Tells the store what it has not been told yet, where it can be reached, and leaves it. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#isReady()
    await this.#outbox.close()
    this.#reader.close()
    const disconnect = await this.#disconnect
    if (typeof disconnect === 'function') await disconnect()
  }

  #send([group, share]: Change): void {
    this.#shares.change(group, share)
    const answer = this.#outbox.send(group)
    this.#answers.set(group, answer)
    void answer.then(() => {
      if (this.#answers.get(group) === answer) this.#answers.delete(group)
    })
  }

  async #publish(take: () => readonly string[]): Promise<StoreAnswer> {
    if (!this.#shares.isTimed) {
      const askedMs = this.#clock().now()
      const all = await this.#store.read()
      this.#take(all.entries.filter(isSound), [], this.#heard(all, askedMs))
      this.#shares.haveJoinedAll()
    }
    const askedMs = this.#clock().now()
    const answer = await this.#store.publish(take().map((group) => ({ ...this.#shares.get(group), group })))
    this.#heard(answer, askedMs)
    return answer
  }

  #draw(groups: Iterable<string>, answered: readonly string[], nowMs: number): void {
    const before = this.#current()
    const after = drawn(before, groups, this.#shares, nowMs)
    this.#events.marked(after)
    for (const provider of answered) {
      const outcome = answerBetween(before, after, provider)
      if (outcome !== undefined) this.#events.answered(provider, outcome)
    }
  }

  /** Out of reach: nobody need wait for more. */
  #judge(fault: StoreFaultEvent['fault'] | undefined): void {
    if (this.#closed) return
    if (fault !== undefined) this.#isReady()
    this.#state.judge(fault)
  }
}
