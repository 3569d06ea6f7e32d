import { charged, deposited } from '../core/budget.ts'
import type { Target } from '../core/candidate.ts'
import { deathKey } from '../core/death.ts'
import { type Marks, NO_MARKS, type Observation, type ObservingPolicy, observe } from '../core/marks.ts'
import type { Budget, Policy } from '../core/policy.ts'
import type { BreakerCounter, BreakerStrategy } from '../core/strategy.ts'
import { Flapping } from './flapping.ts'
import { LEASE, PROBE_MS } from './group-marks.ts'
import type { Mirror } from './mirror.ts'

/** What calls share in this process: an immutable value in a cell, with the budgets and breaker counters beside. */
export class MarkStore {
  /** Grows with each change of the marks; whoever caches a reading compares it. */
  version = 0
  /** What other processes know, where a store is shared with them. */
  mirror: Mirror | undefined
  readonly flapping: Flapping = new Flapping()
  /** Grows with each charge of a budget: until then, a full one stays full. */
  charges = 0
  readonly #random: () => number
  #marks: Omit<Marks, 'budget'> = NO_MARKS
  /** A record of its own that is written to, so that a successful call pays in without copying anything. */
  readonly #budget: Record<string, number> = Object.create(null)
  readonly #breakers = new Map<string, BreakerCounter>()

  /** @param random - Answers a number in [0, 1). */
  constructor(random: () => number) {
    this.#random = random
  }

  /** The marks without the budgets. */
  get current(): Omit<Marks, 'budget'> {
    return this.#marks
  }

  /** The marks as a decision sees them. The budgets go on changing: whoever keeps them must copy them. */
  get marks(): Marks {
    const { cooling, providers, dead } = this.#marks
    const marks = { cooling, providers, budget: this.#budget }
    return dead === undefined ? marks : { ...marks, dead }
  }

  /** Folds an observation in. Answers the marks before and after. */
  observe(policy: ObservingPolicy, observation: Observation): readonly [before: Marks, after: Marks] {
    const before = this.marks
    // Where processes share what cools, all of them come back at once: one goes first.
    const halfOpen = this.mirror !== undefined && observation.kind === 'failure'
    const after = observe(policy, before, halfOpen ? { ...observation, halfOpen } : observation)
    if (after !== before) {
      this.replace(after)
      if (observation.kind === 'success' && observation.probe) {
        this.flapping.recovered(observation.target.candidate, observation.nowMs)
      }
      this.mirror?.observed(policy, observation, before, after)
    }
    return [before, after]
  }

  /** Takes marks that other processes had a part in. */
  replace(marks: Omit<Marks, 'budget'>): void {
    this.#marks = marks
    this.version += 1
    this.mirror?.room.look(marks.cooling, this.#random)
  }

  /**
   * Takes the lease of a probe at a half-open target, for this process at once and for all as soon as the store says
   * so. Answers nothing where no store is shared, or where it does not say.
   */
  lease(policy: Policy, target: Target, nowMs: number): Promise<boolean | undefined> | undefined {
    if (this.mirror === undefined) return undefined
    this.observe(policy, { kind: 'probe', target, probeMs: PROBE_MS, nowMs })
    return this.mirror.answerFor(LEASE + target.candidate)
  }

  /** The candidate has served a call. Answers whether its budget is full. */
  deposit(candidate: string, budget: Budget): boolean {
    const saved = deposited(this.#budget[candidate] ?? budget.start, budget)
    this.#budget[candidate] = saved
    return saved === budget.cap
  }

  /** A call repeats at the candidate. */
  charge(candidate: string, budget: Budget): void {
    this.charges += 1
    this.#budget[candidate] = charged(this.#budget[candidate] ?? budget.start)
  }

  /** A candidate's breaker counter, made at first sight. */
  breakerOf(candidate: string, strategy: BreakerStrategy): BreakerCounter {
    let counter = this.#breakers.get(candidate)
    if (counter === undefined) {
      counter = strategy.counter()
      this.#breakers.set(candidate, counter)
    }
    return counter
  }

  /** Another process has closed a candidate's breaker: what was counted here is from before. */
  closedElsewhere(candidate: string, nowMs: number): void {
    this.#breakers.delete(candidate)
    this.flapping.recovered(candidate, nowMs)
  }

  /**
   * Clears a candidate's cooling and breaker marks. Answers whether there was anything to clear here; other processes
   * may know more of it.
   */
  revive(candidate: string): boolean {
    const { cooling, dead } = this.#marks
    const cooled =
      dead?.[deathKey(candidate)] !== undefined || Object.values(cooling).some((mark) => mark.candidate === candidate)
    if (cooled || this.mirror !== undefined) this.observe({ targets: [] }, { kind: 'revived', candidate })
    return this.#breakers.delete(candidate) || cooled
  }

  /** Repeats in hand by candidate, for the snapshot. */
  budgets(): readonly { readonly candidate: string; readonly saved: number }[] {
    return Object.entries(this.#budget).map(([candidate, saved]) => ({
      candidate,
      saved: Math.round(saved * 1e6) / 1e6,
    }))
  }
}
