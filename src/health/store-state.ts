import type { StoreFaultEvent } from './events.ts'

/** How it stands with the store: one fault when something goes wrong, one healing when all is well again. */
export class StoreState {
  /** News may be missed. */
  lost = false
  /** News may have been missed. */
  unread = false
  /** The last publication failed. */
  failing = false
  readonly #fault: (fault: StoreFaultEvent['fault']) => void
  readonly #healed: () => void
  #isFaulty = false

  constructor(fault: (fault: StoreFaultEvent['fault']) => void, healed: () => void) {
    this.#fault = fault
    this.#healed = healed
  }

  /** Looks again, after something has gone wrong or right. */
  judge(fault: StoreFaultEvent['fault'] | undefined): void {
    if (fault !== undefined && !this.#isFaulty) {
      this.#isFaulty = true
      this.#fault(fault)
    }
    if (fault !== undefined || !this.#isFaulty || this.lost || this.unread || this.failing) return
    this.#isFaulty = false
    this.#healed()
  }
}
