import type { NoteFault } from './strategy.ts'

/** Notes an answer that is none of its slot. A promise is none, and must not be left to reject unheard. */
export function noteWrong(note: NoteFault | undefined, slot: Parameters<NoteFault>[0], answer: unknown): void {
  if (answer instanceof Promise) answer.catch(() => undefined)
  note?.(slot, 'wrong_type')
}
