import type { AuthStrategy, Backoff, OverflowStrategy } from '../core/strategy.ts'

/** A strategy that threw or answered what is no answer of its slot. The core then goes by a safe answer of its own. */
export interface StrategyFault {
  readonly slot: 'backoff' | 'auth' | 'overflow'
  readonly fault: 'threw' | 'wrong_type'
}

/** The strategies of a policy. */
export interface Slots {
  readonly backoff: Backoff
  readonly auth: AuthStrategy
  readonly overflow: OverflowStrategy
}

/**
 * The same strategies, with their faults noted: the core is pure and cannot tell of them, and they must not pass
 * unseen.
 */
export function watched(slots: Slots, note: (fault: StrategyFault) => void): Slots {
  const watch =
    <X, R>(slot: StrategyFault['slot'], strategy: (context: X) => R, isAnswer: (answer: R, context: X) => boolean) =>
    (context: X): R => {
      let answer: R
      try {
        answer = strategy(context)
      } catch (error) {
        note({ slot, fault: 'threw' })
        throw error
      }
      if (!isAnswer(answer, context)) note({ slot, fault: 'wrong_type' })
      return answer
    }
  return {
    backoff: watch('backoff', slots.backoff, (answer) => answer >= 0 && answer < Number.POSITIVE_INFINITY),
    auth: watch('auth', slots.auth, (answer) => answer === 'pause' || answer === 'advance' || answer === 'surface'),
    overflow: watch(
      'overflow',
      slots.overflow,
      (answer, { eligible, canReduce }) =>
        answer === undefined || (answer === 'reduce' && canReduce) || eligible.some(({ id }) => id === answer),
    ),
  }
}
