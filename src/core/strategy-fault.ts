import type { NoteFault } from './strategy.ts'
import { isLate } from './thenable.ts'

/** Notes an answer that is none of its slot. */
export function noteWrong(note: NoteFault | undefined, slot: Parameters<NoteFault>[0], answer: unknown): void {
  isLate(answer)
  note?.(slot, 'wrong_type')
}
