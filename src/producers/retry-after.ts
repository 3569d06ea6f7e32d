import { readHttpDate, readIsoInstant } from './kit/civil-time.ts'
import { readDecimal, readDuration } from './kit/duration.ts'
import type { HeaderMap } from './kit/headers.ts'

/**
 * How long to wait, from what an answer states: always in seconds, always against the clock that is given. What is past,
 * negative or unreadable is no hint at all; only a stated 0 is 0.
 */

/** How a family writes the time at which a limit resets. */
export type ResetUnit =
  /** `7m12s`, `579ms`; a bare number is in seconds. */
  | 'duration'
  | 'epoch-seconds'
  | 'epoch-ms'
  /** `2026-03-26T20:00:00Z` */
  | 'iso'
  /** Where the family is not known to keep to one: told apart by shape and magnitude, which do not overlap. */
  | 'any'

/** A header that says when a limit is whole again, and the one that says what is left of it until then. */
export interface ResetHeader {
  readonly reset: string
  readonly unit: ResetUnit
  /** Its reset counts only where this is 0, or not stated. */
  readonly remaining?: string
  /** Some say so in words instead: the reset counts only where this header has the value `rejected`. */
  readonly status?: string
}

/** Epoch numbers below are seconds, above milliseconds; 1e9 s is in 2001, and 1e9 s is no wait. */
const LEAST_EPOCH_SECONDS = 1e9
const LEAST_EPOCH_MS = 1e12

/** `Retry-After`: seconds, whole or fractional, or an HTTP date against the answer's own `date` where it has one. */
export function readRetryAfter(value: string, nowMs: number, date?: string): number | undefined {
  return readDecimal(value) ?? secondsUntil(readHttpDate(value, nowMs), nowMs, date)
}

/** `Retry-After` as Codex reads it: whole seconds or an HTTP date, nothing else. */
export function readWholeRetryAfter(value: string, nowMs: number, date?: string): number | undefined {
  const trimmed = value.trim()
  return /^\d{1,15}$/.test(trimmed) ? Number(trimmed) : secondsUntil(readHttpDate(trimmed, nowMs), nowMs, date)
}

/** `retry-after-ms` and its kin: milliseconds. */
export function readRetryAfterMs(value: string): number | undefined {
  const ms = readDecimal(value)
  return ms === undefined ? undefined : ms / 1_000
}

/** The wait that the headers state outright. `retry-after-ms` is the finer of the two, so it is read first. */
export function statedWait(headers: HeaderMap, nowMs: number): number | undefined {
  const ms = headers.get('retry-after-ms') ?? headers.get('x-ms-retry-after-ms')
  const fine = ms === undefined ? undefined : readRetryAfterMs(ms)
  if (fine !== undefined) return fine
  const value = headers.get('retry-after')
  return value === undefined ? undefined : readRetryAfter(value, nowMs, headers.get('date'))
}

/** The same for families that are read as Codex reads them. */
export function statedWholeWait(headers: HeaderMap, nowMs: number): number | undefined {
  const value = headers.get('retry-after')
  return value === undefined ? undefined : readWholeRetryAfter(value, nowMs, headers.get('date'))
}

/**
 * The time until every limit that is known to be spent is whole again. Where none is known to be, the limits that do
 * not say what is left may be the one that was hit: the longest of them. A limit with something left never counts.
 */
export function resetWait(
  headers: HeaderMap,
  resets: readonly ResetHeader[],
  nowMs: number,
  spentOnly = false,
): number | undefined {
  let spent: number | undefined
  let unknown: number | undefined
  for (const each of resets) {
    const value = headers.get(each.reset)
    if (value === undefined) continue
    const left = leftOf(headers, each)
    if (left === 'some') continue
    const secs = readReset(value, each.unit, nowMs, headers.get('date'))
    if (secs === undefined) continue
    if (left === 'none') spent = Math.max(spent ?? 0, secs)
    else unknown = Math.max(unknown ?? 0, secs)
  }
  return spent ?? (spentOnly ? undefined : unknown)
}

/** A reset in its family's unit, as seconds from now; a moment that is past or now is none. */
export function readReset(value: string, unit: ResetUnit, nowMs: number, date?: string): number | undefined {
  const secs = unit === 'duration' ? (readDuration(value) ?? readDecimal(value)) : untilReset(value, unit, nowMs, date)
  return secs !== undefined && secs > 0 ? secs : undefined
}

function untilReset(value: string, unit: ResetUnit, nowMs: number, date: string | undefined): number | undefined {
  const number = readDecimal(value)
  if (unit === 'epoch-seconds') return number === undefined ? undefined : secondsUntil(number * 1_000, nowMs, date)
  if (unit === 'epoch-ms') return secondsUntil(number, nowMs, date)
  if (unit === 'iso') return secondsUntil(readIsoInstant(value), nowMs, date)
  if (number === undefined)
    return readDuration(value) ?? secondsUntil(readIsoInstant(value) ?? readHttpDate(value, nowMs), nowMs, date)
  if (number >= LEAST_EPOCH_MS) return secondsUntil(number, nowMs, date)
  return number >= LEAST_EPOCH_SECONDS ? secondsUntil(number * 1_000, nowMs, date) : number
}

/** A moment is counted from the answer's own clock where it states one: the two machines' clocks may differ. */
function secondsUntil(atMs: number | undefined, nowMs: number, date: string | undefined): number | undefined {
  if (atMs === undefined) return undefined
  const fromMs = (date === undefined ? undefined : readHttpDate(date, nowMs)) ?? nowMs
  return atMs > fromMs ? (atMs - fromMs) / 1_000 : undefined
}

function leftOf(headers: HeaderMap, each: ResetHeader): 'none' | 'some' | 'unknown' {
  const status = each.status === undefined ? undefined : headers.get(each.status)
  if (status !== undefined) return status.trim().toLowerCase() === 'rejected' ? 'none' : 'some'
  const remaining = each.remaining === undefined ? undefined : headers.get(each.remaining)
  const number = remaining === undefined ? undefined : Number(remaining.trim() || Number.NaN)
  if (number === undefined || Number.isNaN(number)) return 'unknown'
  return number <= 0 ? 'none' : 'some'
}
