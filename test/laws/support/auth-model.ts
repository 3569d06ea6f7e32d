import type { Candidate } from 'heed'
import type { HeardFailure } from './calls-of.ts'
import { classOf } from './failure.ts'
import type { Invoked } from './log.ts'
import type { Answer, Scenario } from './scenario.ts'

/** What all calls must know of a provider, by the rules of the design and from what was produced. */
export interface ProviderModel {
  generation: number
  readonly refused: Set<string>
  blocked: boolean
  declined: boolean
}

/** Follows refusals and answers in the order in which they happen. */
export class AuthModel {
  readonly #providers = new Map<string, ProviderModel>()
  readonly #startedIn = new Map<Invoked, number>()
  readonly #refusals = new Map<string, number>()
  readonly #scenario: Scenario

  constructor(scenario: Scenario) {
    this.#scenario = scenario
  }

  provider(name: string): ProviderModel {
    const known = this.#providers.get(name)
    if (known !== undefined) return known
    const made: ProviderModel = { generation: 0, refused: new Set(), blocked: false, declined: false }
    this.#providers.set(name, made)
    return made
  }

  /** An attempt starts: the generation that it speaks of is that of now. */
  starts(invoked: Invoked): void {
    this.#startedIn.set(invoked, this.provider(invoked.provider).generation)
  }

  /** Folds a failure. Answers whether it is the first refusal of its provider in this generation. */
  hears(failure: HeardFailure): 'first' | 'further' | 'late' | 'declined' | undefined {
    if (classOf(failure.said) !== 'auth_required') return undefined
    const { invoked } = failure
    const model = this.provider(invoked.provider)
    if (this.#startedIn.get(invoked) !== model.generation) return 'late'
    if (model.declined) return 'declined'
    const first = model.refused.size === 0
    model.refused.add(invoked.credential ?? '')
    const key = `${invoked.call} ${invoked.candidate} ${model.generation}`
    const refusals = (this.#refusals.get(key) ?? 0) + 1
    this.#refusals.set(key, refusals)
    if (refusals >= 2 || this.#credentials(invoked).every((id) => model.refused.has(id))) model.blocked = true
    return first ? 'first' : 'further'
  }

  answers({ does, name }: Answer): void {
    const model = this.provider(name)
    if (does === 'decline') model.declined = true
    if (does !== 'resolve') return
    model.generation += 1
    model.refused.clear()
    model.blocked = false
    model.declined = false
  }

  #credentials({ call, candidate }: Invoked): readonly string[] {
    const guard = this.#scenario.guards[this.#scenario.calls[call]?.guard ?? 0]
    const listed = guard?.candidates.find(({ id }: Candidate) => id === candidate)?.credentials ?? []
    if (listed.length === 0) return ['']
    return listed.map((credential) => (typeof credential === 'string' ? credential : credential.id))
  }
}
