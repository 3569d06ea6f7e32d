import { type Candidate, type Guard, type HeedOptions, heed } from 'heed'
import { type FakeClock, fakeClock } from 'heed/testing'

/** Two candidates at providers of their own: who is asked first, and who stands in. */
export const PRIMARY = { id: 'primary', provider: 'one' } as const
export const FALLBACK = { id: 'fallback', provider: 'two' } as const

/** A guard over a chain, on a clock of its own. */
export function guarded<C extends Candidate>(
  candidates: readonly C[],
  options: Omit<HeedOptions<C>, 'candidates' | 'clock'> = {},
): { readonly guard: Guard<C>; readonly clock: FakeClock } {
  const clock = fakeClock()
  return { guard: heed<C>({ candidates, random: () => 0, ...options, clock }), clock }
}

/** An answer in pieces that breaks off with an error after the last. */
export async function* broken<T>(pieces: readonly T[], error: unknown): AsyncGenerator<T> {
  yield* pieces
  throw error
}

/** What a consumer saw of a stream, and how it ended. */
export async function seen<T>(stream: AsyncIterable<T>): Promise<{ text: string; error?: unknown }> {
  let text = ''
  try {
    for await (const piece of stream) text += String(piece)
  } catch (error) {
    return { text, error }
  }
  return { text }
}

/** What a promise rejects with. */
export async function thrownBy(work: PromiseLike<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}
