import { type ResetHeader, resetWait, statedWait, statedWholeWait } from '../retry-after.ts'
import { durationAfter } from './duration.ts'
import type { Facts } from './facts.ts'
import type { HeaderMap } from './headers.ts'

/** Where a family states how long to wait, in the order of trust: headers, the body, the wording, then resets. */
export interface HintRules {
  /** Read `Retry-After` as Codex does (whole seconds or an HTTP date) and no other header. */
  readonly wholeSecondsOnly?: boolean
  /** A field of the body that states the wait, in seconds. */
  readonly body?: (facts: Facts, nowMs: number, headers: HeaderMap) => number | undefined
  /** The words, in lower case, after which the wait stands in the message. */
  readonly text?: readonly string[]
  /** Another reader of the wording; it is heard only for the rules named in {@link textRules}. */
  readonly readText?: (said: string) => number | undefined
  /** The rules for which the wording is read; all where absent. */
  readonly textRules?: ReadonlySet<string>
  /** Headers that say when a limit is whole again; read only where nothing states the wait outright. */
  readonly resets?: readonly ResetHeader[]
}

/** What is known when the hint is read. */
export interface HintSource {
  readonly facts: Facts
  readonly nowMs: number
  readonly status: number
  /** The rule that decided, without the family's name. */
  readonly rule: string
  headers(): HeaderMap
  said(): string
}

/** Seconds to wait, or nothing. An explicit hint wins; a reset counts only without one. */
export function readHint(rules: HintRules, source: HintSource): number | undefined {
  const { facts } = source
  const hasHeaders = facts.headers.length > 0 && source.headers().size > 0
  return (
    (hasHeaders ? stated(rules, source) : undefined) ??
    rules.body?.(facts, source.nowMs, source.headers()) ??
    fromText(rules, source) ??
    (hasHeaders && rules.resets !== undefined ? fromResets(rules.resets, source) : undefined)
  )
}

function stated(rules: HintRules, source: HintSource): number | undefined {
  const read = rules.wholeSecondsOnly === true ? statedWholeWait : statedWait
  return finite(read(source.headers(), source.nowMs))
}

function fromText(rules: HintRules, source: HintSource): number | undefined {
  if (rules.textRules?.has(source.rule) === false) return undefined
  if (rules.readText !== undefined) return finite(rules.readText(source.said()))
  return rules.text === undefined ? undefined : finite(durationAfter(source.said(), rules.text))
}

/**
 * When a limit resets says nothing of a server that is overloaded, so beside another status than 429 it counts only
 * where the limit is known to be spent.
 */
function fromResets(resets: readonly ResetHeader[], source: HintSource): number | undefined {
  const spentOnly = source.status !== 429 && source.status !== 0
  return finite(resetWait(source.headers(), resets, source.nowMs, spentOnly))
}

function finite(secs: number | undefined): number | undefined {
  return secs !== undefined && secs >= 0 && secs < Number.POSITIVE_INFINITY ? secs : undefined
}
