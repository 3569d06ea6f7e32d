import {
  advance,
  type CallFacts,
  type CallState,
  type Classification,
  type Decision,
  decide,
  type Limits,
  type Marks,
  NO_MARKS,
  type Occasion,
  observe,
  type Policy,
  startCall,
  type Target,
} from 'heed'
import { pause } from 'heed/strategies/auth/pause'
import { constant } from 'heed/strategies/backoff/constant'
import { largerWindow } from 'heed/strategies/overflow/larger-window'

/** A candidate in one line: `credentials` defaults to one that nothing is known of. */
export interface Drawn {
  readonly id: string
  readonly provider?: string
  readonly contextWindow?: number
  readonly credentials?: readonly string[]
}

/** The defaults that the options promise. */
const LIMITS: Limits = {
  perTarget: 3,
  total: 10,
  reduce: 3,
  switchAfterMs: 5_000,
  maxWaitMs: 60_000,
  maxPauseMs: 300_000,
  capTooLong: false,
  clampDown: false,
  budget: { cap: 10, start: 3, deposit: 0.1 },
}

/** A policy over a chain; a candidate's provider is its own unless it is given. */
export function policyOf(
  chain: readonly Drawn[],
  { limits, ...strategies }: Partial<Omit<Policy, 'limits'>> & { readonly limits?: Partial<Limits> } = {},
): Policy {
  const targets: Target[] = []
  chain.forEach(({ id, provider = `provider of ${id}`, contextWindow, credentials = [undefined] }, position) => {
    for (const credential of credentials) {
      targets.push({
        index: targets.length,
        key: JSON.stringify([id, credential]),
        position,
        candidate: id,
        provider,
        ...(credential === undefined ? {} : { credential }),
        ...(contextWindow === undefined ? {} : { contextWindow }),
      })
    }
  })
  return {
    targets,
    candidates: chain.map((_, position) => targets.find((target) => target.position === position) as Target),
    limits: { ...LIMITS, ...limits },
    backoff: constant(500),
    auth: pause,
    overflow: largerWindow,
    ...strategies,
  }
}

/** What a failing attempt may be given besides its class. */
export interface Failing {
  readonly credential?: string
  readonly aborted?: boolean
  readonly committed?: boolean
  readonly generation?: number
  readonly random?: number
}

/** One call, step by step as a durable engine would take it: observe, decide, advance. */
export class Walk {
  readonly policy: Policy
  marks: Marks
  nowMs = 0
  state: CallState

  constructor(policy: Policy, facts: CallFacts = {}, marks: Marks = NO_MARKS) {
    this.policy = policy
    this.marks = marks
    this.state = startCall(policy, facts)
  }

  start(): Decision {
    return this.#step({ kind: 'start' })
  }

  /** An attempt at a candidate fails. */
  fails(id: string, classification: Classification, failing: Failing = {}): Decision {
    const { credential, aborted, committed, generation = 0, random = 0 } = failing
    const target = this.target(id, credential)
    const failure = {
      kind: 'failure' as const,
      target,
      classification,
      generation,
      ...(aborted === undefined ? {} : { aborted }),
      ...(committed === undefined ? {} : { committed }),
    }
    const { policy, marks, state, nowMs } = this
    this.marks = observe(policy, marks, { kind: 'failure', failure, state, nowMs })
    return this.#step(failure, random)
  }

  /** Any other occasion. */
  meets(occasion: Exclude<Occasion, { kind: 'failure' }>): Decision {
    return this.#step(occasion)
  }

  target(id: string, credential?: string): Target {
    const found = this.policy.targets.find(
      (target) => target.candidate === id && (credential === undefined || target.credential === credential),
    )
    if (found === undefined) throw new Error(`no target ${id}`)
    return found
  }

  #step(occasion: Occasion, random = 0): Decision {
    const { policy, state, marks, nowMs } = this
    const decision = decide(policy, { occasion, state, marks, nowMs, random })
    this.state = advance(policy, state, occasion, decision)
    return decision
  }
}

/** A decision in a few words: kind, reason, where, and after how many milliseconds. */
export function brief(decision: Decision): string {
  const { kind, reason } = decision
  if (kind === 'surface') return `surface ${reason}`
  if (kind === 'pause') return `pause ${decision.provider}`
  const where = [decision.target.candidate, decision.target.credential].filter((each) => each !== undefined).join('/')
  if (kind === 'reduce') return `reduce for ${where}`
  return `${kind} ${reason} ${where} in ${decision.delayMs}`
}

/** Marks as they are after other calls: a target that cools, providers blocked or declined, a budget spent. */
export function marksOf(
  policy: Policy,
  given: {
    readonly coolingMs?: Readonly<Record<string, number>>
    readonly blocked?: readonly string[]
    readonly refused?: Readonly<Record<string, readonly string[]>>
    readonly declined?: readonly string[]
    readonly budget?: Readonly<Record<string, number>>
  },
): Marks {
  const { coolingMs = {}, blocked = [], refused = {}, declined = [], budget = {} } = given
  const names = [...new Set([...blocked, ...declined, ...Object.keys(refused)])]
  return {
    cooling: Object.fromEntries(
      policy.targets.flatMap(({ key, candidate }) => {
        const untilMs = coolingMs[candidate]
        return untilMs === undefined ? [] : [[key, { candidate, untilMs }]]
      }),
    ),
    providers: Object.fromEntries(
      names.map((name) => [
        name,
        {
          generation: 0,
          refused: refused[name] ?? (blocked.includes(name) ? [''] : []),
          blocked: blocked.includes(name),
          declined: declined.includes(name),
        },
      ]),
    ),
    budget,
  }
}
