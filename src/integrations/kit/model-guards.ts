import type { Candidate } from '../../core/candidate.ts'
import type { Health } from '../../health/health.ts'
import { type Auth, createHealth, type Guard, heed } from '../../heed.ts'
import type { HeedOptions } from '../../options.ts'
import { chainForModel, type MayFixModel } from './chain-for-model.ts'
import { Recent } from './recent.ts'

/** What can be part of a candidate's id. */
const NAME = /^\P{Cs}+$/u

/**
 * A guard for each model that is asked for, all with one health: what one model is refused says nothing of the others,
 * and what the provider's credentials are refused is said of all. A guard holds nothing of calls, so that one which was
 * forgotten can be made again.
 */
export class ModelGuards<C extends Candidate & MayFixModel> {
  /** What operators subscribe to, for all models. */
  readonly health: Health
  /** Where humans answer prompts. */
  readonly auth: Auth
  readonly #whole: Guard<C>
  readonly #of: ((model: string) => Guard<C>) | undefined

  /**
   * @param isSame - Whether two candidates ask the same host with the same key.
   * @throws TypeError where the options are wrong, naming the path and the fix.
   */
  constructor(options: HeedOptions<C>, isSame: (fixed: C, open: C) => boolean) {
    const { candidates: chain, clock } = options
    // One that is none goes to heed as it is, to be refused by its path.
    const health = options.health === undefined ? createHealth({ clock }) : options.health
    const whole = heed<C>({ ...options, health })
    const recent = new Recent<string, Guard<C>>()
    this.#whole = whole
    this.health = health
    this.auth = whole.auth
    // A chain that leaves nothing to the request is the same for all.
    if (chain.every(({ model }) => model !== undefined)) return
    this.#of = (model) =>
      recent.of(model, () => heed<C>({ ...options, health, candidates: chainForModel(chain, model, isSame) }))
  }

  /** The guard for a request's model; candidates go by their own names where it is none. */
  of(model: unknown): Guard<C> {
    if (this.#of === undefined || typeof model !== 'string' || !NAME.test(model)) return this.#whole
    return this.#of(model)
  }
}
