import { afterEach, beforeEach, expect } from 'vitest'

/** In a suite: no test of it leaves a rejection that nobody handles. */
export function noUnhandledRejections(): void {
  const unhandled: unknown[] = []
  const note = (error: unknown): number => unhandled.push(error)
  beforeEach(() => {
    process.on('unhandledRejection', note)
  })
  afterEach(() => {
    process.off('unhandledRejection', note)
    expect(unhandled.splice(0)).toEqual([])
  })
}
