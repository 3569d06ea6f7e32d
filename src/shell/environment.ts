import type { Clock } from '../core/clock.ts'

const { performance } = globalThis

/** The process's own time. Together with the two functions below, the only place that reads the globals. */
export const systemClock: Clock = {
  now: () => performance.now(),
  wallNow: () => Date.now(),
  setTimeout: (callback, delayMs) => setTimeout(callback, delayMs),
  clearTimeout: (timer) => clearTimeout(timer as Parameters<typeof clearTimeout>[0]),
}

/** A number in [0, 1): spreads waits; nothing secret depends on it. */
export const systemRandom = (): number => Math.random()

/** The part of call ids that no other process shares. */
export const newIdPrefix = (): string => crypto.randomUUID()
