import { advance } from '../../core/advance.ts'
import { charged, deposited } from '../../core/budget.ts'
import { type CallState, startCall } from '../../core/call-state.ts'
import type { Target } from '../../core/candidate.ts'
import type { Classification } from '../../core/classification.ts'
import { decide } from '../../core/decide.ts'
import type { Decision, Occasion } from '../../core/decision.ts'
import { isUnmarked, type Marks, NO_MARKS, type Observation, observe, providerMark } from '../../core/marks.ts'
import type { Policy } from '../../core/policy.ts'
import { SPREAD_MS } from '../../health/auth-desk.ts'
import type { Behaviour, Clients, NextStep, SimulatedCall, Woken } from './behaviour.ts'
import { type HeedClientsOptions, mustBeHeedClients } from './heed-clients-options.ts'
import type { Random } from './random.ts'

/**
 * Clients that decide by heed's own pure steps, each with marks and budgets of its own. The candidates' places in the
 * chain are the numbers of the servers.
 *
 * @param policy - What `policyOf()` of `heed` makes of the options of a guard.
 * @throws TypeError naming the option that is unknown or does not fit, or the policy that is none.
 */
export function heedClients(policy: Policy, options: HeedClientsOptions = {}): Behaviour {
  mustBeHeedClients(policy, options)
  return {
    name: options.name ?? 'heed',
    start: (clients, random) => new HeedClients(policy, options.idempotent ?? true, clients, random),
  }
}

class HeedClients implements Clients {
  prompts = 0
  readonly #policy: Policy
  readonly #idempotent: boolean
  readonly #random: Random
  /** By client; absent while nothing is marked, which is nearly always. */
  readonly #marks: (Marks | undefined)[]
  /** Calls that wait for a human, in the order of coming: slot to provider. By client. */
  readonly #waiting: (Map<number, string> | undefined)[]
  /** Slots of calls whose human has answered and that have not gone on yet. */
  readonly #answered = new Set<number>()
  /** By client and place in the chain. */
  readonly #saved: Float64Array
  /** By slot; absent until a call's first failure. */
  readonly #states: (CallState | undefined)[] = []
  /** The auth generation in which a call's attempt started, by slot. */
  readonly #generations: number[] = []
  /** What a call does at its start where nothing is marked. */
  readonly #first: NextStep

  constructor(policy: Policy, idempotent: boolean, clients: number, random: Random) {
    const { budget } = policy.limits
    this.#policy = policy
    this.#idempotent = idempotent
    this.#random = random
    this.#marks = new Array(clients).fill(undefined)
    this.#waiting = new Array(clients).fill(undefined)
    this.#saved = new Float64Array(clients * policy.candidates.length).fill(budget === false ? 0 : budget.start)
    this.#first = attemptAt(policy.targets[0] as Target)
  }

  begin(call: SimulatedCall, nowMs: number): NextStep {
    this.#states[call.slot] = undefined
    const marks = this.#marks[call.client] ?? NO_MARKS
    const first = this.#policy.targets[0] as Target
    // As the shell does: where nothing stands against the first target there is nothing to decide, and to draw for.
    if (!isUnmarked(marks, first)) return this.#go(call, { kind: 'start' }, nowMs)
    this.#generations[call.slot] = providerMark(marks, first.provider).generation
    return this.#first
  }

  failed(call: SimulatedCall, classification: Classification, nowMs: number): NextStep {
    const { slot, client } = call
    const state = this.#stateOf(slot)
    const target = state.chosen ?? (this.#policy.targets[0] as Target)
    const generation = this.#generations[slot] ?? 0
    const failure = { kind: 'failure', target, classification, generation } as const
    const before = providerMark(this.#marks[client] ?? NO_MARKS, target.provider)
    this.#observe(client, { kind: 'failure', failure, state, nowMs })
    const after = providerMark(this.#marks[client] ?? NO_MARKS, target.provider)
    if (before.refused.length === 0 && after.refused.length > 0) this.prompts += 1
    return this.#go(call, failure, nowMs)
  }

  woken(call: SimulatedCall, nowMs: number): NextStep {
    return this.#go(call, this.#occasionOf(call), nowMs)
  }

  served({ slot, client }: SimulatedCall, nowMs: number): void {
    const target = this.#states[slot]?.chosen ?? (this.#policy.targets[0] as Target)
    this.#deposit(client, target.position)
    if (this.#marks[client]?.cooling[target.key] === undefined) return
    this.#observe(client, { kind: 'success', target, probe: false, nowMs })
  }

  resolved(server: number): readonly Woken[] {
    const { provider } = this.#policy.candidates[server] as Target
    return this.#marks.flatMap((marks, client): Woken[] => {
      if (marks === undefined || providerMark(marks, provider).refused.length === 0) return []
      this.#observe(client, { kind: 'resolved', provider })
      const waiting = [...(this.#waiting[client] ?? [])].filter(([, awaited]) => awaited === provider)
      return waiting.map(([slot], place) => {
        this.#waiting[client]?.delete(slot)
        this.#answered.add(slot)
        return { slot, afterMs: (place * SPREAD_MS) / waiting.length }
      })
    })
  }

  /** Decides and folds the decision in: what the shell does between two attempts. */
  #go({ slot, client }: SimulatedCall, occasion: Occasion, nowMs: number): NextStep {
    const policy = this.#policy
    const state = this.#stateOf(slot)
    const decision = decide(policy, { occasion, state, marks: this.#marksOf(client), nowMs, random: this.#random() })
    const after = advance(policy, state, occasion, decision)
    this.#states[slot] = after
    return this.#act(slot, client, decision)
  }

  #act(slot: number, client: number, decision: Decision): NextStep {
    switch (decision.kind) {
      case 'retry':
      case 'advance': {
        const { target, delayMs } = decision
        const place = this.#placeOf(client, target)
        if (decision.repeat === true) this.#saved[place] = charged(this.#saved[place] as number)
        if (delayMs > 0) return { kind: 'wait', delayMs }
        this.#generations[slot] = providerMark(this.#marks[client] ?? NO_MARKS, target.provider).generation
        return attemptAt(target)
      }
      case 'pause': {
        this.#waiting[client] ??= new Map()
        this.#waiting[client].set(slot, decision.provider)
        return { kind: 'wait', delayMs: this.#policy.limits.maxPauseMs }
      }
      case 'reduce':
      case 'surface':
        return { kind: 'end' }
    }
  }

  /** What the end of a call's wait is to it. */
  #occasionOf({ slot, client }: SimulatedCall): Occasion {
    if (this.#answered.delete(slot)) return { kind: 'answered' }
    const provider = this.#waiting[client]?.get(slot)
    if (provider === undefined) return { kind: 'wake' }
    this.#waiting[client]?.delete(slot)
    const { generation } = providerMark(this.#marks[client] ?? NO_MARKS, provider)
    return { kind: 'unanswered', provider, generation }
  }

  #observe(client: number, observation: Observation): void {
    const before = this.#marks[client] ?? NO_MARKS
    const after = observe(this.#policy, before, observation)
    if (after !== before) this.#marks[client] = after
  }

  #marksOf(client: number): Marks {
    const { cooling, providers } = this.#marks[client] ?? NO_MARKS
    const budget: Record<string, number> = {}
    for (const target of this.#policy.candidates) {
      budget[target.candidate] = this.#saved[this.#placeOf(client, target)] as number
    }
    return { cooling, providers, budget }
  }

  #stateOf(slot: number): CallState {
    return this.#states[slot] ?? startCall(this.#policy, { idempotent: this.#idempotent })
  }

  #deposit(client: number, position: number): void {
    const { budget } = this.#policy.limits
    if (budget === false) return
    const place = client * this.#policy.candidates.length + position
    this.#saved[place] = deposited(this.#saved[place] as number, budget)
  }

  #placeOf(client: number, target: Target): number {
    return client * this.#policy.candidates.length + target.position
  }
}

function attemptAt({ position, credential }: Target): NextStep {
  return Object.freeze({ kind: 'attempt', server: position, credential })
}
