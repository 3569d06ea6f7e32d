import type { Marks } from '../core/marks.ts'
import type { StoreFaultEvent } from './events.ts'

/** What a mirror tells the rest of the health. */
export interface MirrorEvents {
  /** The marks as they are now with what other processes know. */
  readonly marked: (marks: Omit<Marks, 'budget'>) => void
  /** A human has answered in another process. */
  readonly answered: (provider: string, outcome: 'resolved' | 'declined') => void
  /** A human should have been asked about a provider, and was not. */
  readonly unasked: (provider: string) => void
  /** A candidate's breaker was closed in another process: it has served there, or was revived. */
  readonly closed: (candidate: string) => void
  /** Other processes cannot be heard, or told. */
  readonly fault: (fault: StoreFaultEvent['fault']) => void
  readonly healed: () => void
}
