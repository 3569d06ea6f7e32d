import type { Candidate, HeedOptions } from 'heed'

/** What a producer says of a failure; everything is printable, so that a counterexample can be read. */
export interface Said {
  readonly class?: string
  /** As `retry_after_secs` on the wire; hostile values are given on purpose. */
  readonly hint?: unknown
  readonly exhausted?: boolean
  /** These three are said by the producer adapter. */
  readonly ambiguous?: boolean
  readonly scope?: 'provider'
  readonly asideHint?: number
  /** What no decision may depend on: status, code, message, headers, detail. */
  readonly dress?: Readonly<Record<string, unknown>>
}

/** What one invocation does, `afterMs` later. A step that hangs settles never, whatever its signal says. */
export type Step =
  | { readonly does: 'answer'; readonly afterMs: number; readonly commits?: boolean }
  | { readonly does: 'fail'; readonly afterMs: number; readonly said: Said; readonly commits?: boolean }
  /** Throws a value as it is, a stranger to the contract. */
  | { readonly does: 'throw'; readonly afterMs: number; readonly value: unknown; readonly commits?: boolean }
  | { readonly does: 'hang'; readonly commits?: boolean }
  | StreamStep

/** An invocation that opens a stream. Items are content or preamble, each `gapMs` after the one before. */
export interface StreamStep {
  readonly does: 'stream'
  readonly afterMs: number
  readonly gapMs: number
  readonly items: readonly ('content' | 'preamble')[]
  /** After the last item. */
  readonly ends: 'end' | 'hang' | Said
}

/** The limits and choices of a guard: those of HeedOptions that are plain data, strategies by name. */
export interface GuardSpec {
  readonly candidates: readonly Candidate[]
  readonly options: Pick<
    HeedOptions<Candidate>,
    | 'attempts'
    | 'retryAfter'
    | 'switchAfterMs'
    | 'maxWaitMs'
    | 'maxPauseMs'
    | 'timeoutMs'
    | 'attemptTimeoutMs'
    | 'idleTimeoutMs'
    | 'idempotent'
    | 'budget'
  >
  readonly auth: 'pause' | 'advanceThenPause' | 'surface'
  /** Milliseconds of a constant backoff, or heed's own. */
  readonly backoffMs: number | 'default'
}

/** One call. Its nth invocation takes its nth step; past the last, it answers. */
export interface CallSpec {
  /** Which of the scenario's guards. */
  readonly guard: number
  readonly startMs: number
  readonly via: 'settle' | 'execute' | 'stream'
  readonly steps: readonly Step[]
  readonly timeoutMs?: number
  readonly inputTokens?: number
  readonly idempotent?: boolean
  /** What the caller's `reduce` makes of an input; absent is no `reduce`. */
  readonly reduce?: 'smaller' | 'same' | 'nothing' | 'throws'
  /** Negative: aborted before the call is made. */
  readonly abortAfterMs?: number
}

/** What a human does. `name` is a provider, or a candidate's id to revive. */
export interface Answer {
  readonly atMs: number
  readonly does: 'resolve' | 'decline' | 'revive'
  readonly name: string
}

/** All that a run depends on. The guards share one health. */
export interface Scenario {
  readonly guards: readonly GuardSpec[]
  readonly calls: readonly CallSpec[]
  readonly answers: readonly Answer[]
  /** A seed, or the same number each time. */
  readonly random: { readonly seed: number } | { readonly always: number }
}
