import type { Classification } from '../../core/classification.ts'
import type { SimulatedCall } from './behaviour.ts'

/** What a call waits for: its attempt's answer, the end of its own timeout, a refusal, or the end of a wait. */
export type Pending = 'served' | 'wake' | Classification

/** A call on its way. It is used again for another when it has settled, so that millions leave no garbage. */
export class Call implements SimulatedCall {
  readonly slot: number
  client = 0
  startMs = 0
  attempts = 0
  repeats = 0
  server = 0
  /** A bit for each server whose last attempt in this call was transient. */
  transientAt = 0
  pending: Pending = 'wake'

  constructor(slot: number) {
    this.slot = slot
  }
}
