import { type Candidate, type Clock, type Guard, type HeedOptions, heed, type Producer } from 'heed'
import { surface } from 'heed/strategies/auth/surface'
import { constant } from 'heed/strategies/backoff/constant'
import type { Answer } from '../producers/answers.ts'

/** The chain of every replay: the first is refused; the next is no larger, the last is. */
export const CHAIN: readonly Candidate[] = [
  { id: 'refused', provider: 'one', contextWindow: 1_000 },
  { id: 'no-larger', provider: 'two', contextWindow: 1_000 },
  { id: 'larger', provider: 'three', contextWindow: 8_000 },
]

/** Longer waits give way to a candidate that is ready. */
const SWITCH_AFTER_SECS = 5

/** How often the first refuses before it answers. */
export const REFUSALS = 2

/** What a class asks of the chain: who is asked, in order, and for how long the call waits before each repeat. */
export interface Plan {
  readonly asks: readonly string[]
  readonly waitMs: number
}

/** What the design says of each class. Written down here, not taken from the code under test. */
export function planFor({ expected }: Answer): Plan {
  const hintSecs = expected.retry_after_secs ?? 0
  switch (expected.class) {
    case 'transient':
      return hintSecs > SWITCH_AFTER_SECS
        ? { asks: ['refused', 'no-larger'], waitMs: 0 }
        : { asks: [...Array.from({ length: REFUSALS }, () => 'refused'), 'refused'], waitMs: hintSecs * 1_000 }
    case 'permanent':
      return { asks: ['refused', 'no-larger'], waitMs: 0 }
    case 'context_overflow':
      return { asks: ['refused', 'larger'], waitMs: 0 }
    case 'auth_required':
      return { asks: ['refused'], waitMs: 0 }
    default:
      throw new Error(`no plan for the class ${expected.class}`)
  }
}

/** A guard over the chain with no randomness and no wait of its own. */
export function chainGuard(
  producer: Producer | undefined,
  clock: Clock,
  options: Partial<HeedOptions<Candidate>> = {},
): Guard<Candidate> {
  return heed({ candidates: CHAIN, producer, clock, random: () => 0, backoff: constant(0), auth: surface, ...options })
}
