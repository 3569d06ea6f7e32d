import type { AsItCame, OwnFinding, SurfaceReason } from './core/decision.ts'

/** Why heed gave a call up: a decision made of several outcomes, or a failure that heed itself found. */
export type HeedErrorReason = Exclude<SurfaceReason, AsItCame> | OwnFinding

/** One attempt of a call, as reported. */
export interface AttemptRecord {
  /** The candidate's id. */
  readonly candidate: string
  /** The credential's id. Not part of any serialized error. */
  readonly credential?: string
  /** As the producer stated it. Absent for a success, and where nobody stated one. */
  readonly class?: string
  /** Seconds, as the producer stated them. */
  readonly retry_after_secs?: number
  /** Milliseconds that the call waited or paused before this attempt. */
  readonly waited_ms: number
}

/** The public face of a {@link HeedError}: safe to log and to send on. */
export interface HeedErrorJson {
  readonly name: 'HeedError'
  readonly code: HeedErrorReason
  readonly message: string
  readonly class?: string
  readonly retry_after_secs?: number
  readonly retryable: boolean
  readonly exhausted: boolean
  readonly attempts: readonly Omit<AttemptRecord, 'credential'>[]
}

/** What a {@link HeedError} is made of. */
export interface HeedErrorInit {
  readonly reason: HeedErrorReason
  readonly class?: string
  readonly retryAfterSecs?: number
  readonly exhausted?: boolean
  readonly attempts: readonly AttemptRecord[]
  readonly cause?: unknown
}

const BRAND = Symbol.for('heed.error')
const INSPECT = Symbol.for('nodejs.util.inspect.custom')

const SENTENCES: Record<HeedErrorReason, string> = {
  total_attempts: 'the limit of attempts per call was reached (attempts.total)',
  deadline: 'no further attempt could begin before the deadline (timeoutMs)',
  all_permanent: 'every candidate refused the call permanently',
  auth_required: 'a credential must be renewed by a human, and nobody else could serve the call',
  context_overflow: 'the input exceeds the context window of every candidate within reach',
  wait_too_long: 'the earliest candidate is ready only after more than the call may wait (maxWaitMs)',
  attempts_spent: 'every candidate failed and the attempts per target are spent (attempts.perTarget)',
  budget_spent: 'every candidate failed and the retry budget is spent (budget)',
  exhausted_below: 'a retry layer below gave up, and nobody else could serve the call',
  no_candidate: 'no candidate is left to try',
  attempt_timeout: 'an attempt took longer than attemptTimeoutMs; it may have been executed',
  idle_timeout: 'a stream sent nothing for longer than idleTimeoutMs',
  timeout: 'the call took longer than timeoutMs while an attempt was running; it may have been executed',
  incomplete_stream: 'a stream ended before it was complete',
}

/**
 * The one error that heed makes. It has two faces: the properties are for the program that catches it, `cause` (the
 * last failure, untrusted and private) included; `toJSON()` holds neither a producer's text nor a credential.
 */
export class HeedError extends Error {
  override readonly name = 'HeedError'
  /** Why, from a closed list. */
  readonly reason: HeedErrorReason
  /** The class that tells the next layer the best remedy; absent for a failure that heed itself found. */
  declare readonly class?: string
  /** Seconds until the earliest candidate recovers, where one was told. */
  declare readonly retry_after_secs?: number
  /** Whether the same call may succeed later with nobody's help. */
  readonly retryable: boolean
  /** A retry layer gave up: an outer heed advances instead of multiplying attempts. */
  readonly exhausted: boolean
  /** All attempts made, in order. */
  readonly attempts: readonly AttemptRecord[]

  constructor(init: HeedErrorInit) {
    const tried =
      init.attempts.length === 0 ? '' : ` (tried ${[...new Set(init.attempts.map((a) => a.candidate))].join(', ')})`
    super(`heed: ${SENTENCES[init.reason]}${tried}`)
    this.reason = init.reason
    if (init.class !== undefined) this.class = init.class
    if (init.retryAfterSecs !== undefined) this.retry_after_secs = init.retryAfterSecs
    this.retryable = init.class === 'transient'
    this.exhausted = init.exhausted === true
    this.attempts = init.attempts
    Object.defineProperty(this, BRAND, { value: true })
    // A getter, because what ends a process is printed with all values that an error holds.
    if (init.cause !== undefined) {
      const set = (value: unknown): unknown => Object.defineProperty(this, 'cause', { value, writable: true })
      Object.defineProperty(this, 'cause', { get: () => init.cause, set, configurable: true })
    }
    // What Node prints and logs is the public face too; `cause` is read by those who ask for it.
    const hidden = init.cause === undefined ? '' : '\n[cause: private, read error.cause]'
    Object.defineProperty(this, INSPECT, { value: () => `${this.stack}\n${JSON.stringify(this)}${hidden}` })
  }

  /** The public face. */
  toJSON(): HeedErrorJson {
    return {
      name: 'HeedError',
      code: this.reason,
      message: this.message,
      ...(this.class === undefined ? {} : { class: this.class }),
      ...(this.retry_after_secs === undefined ? {} : { retry_after_secs: this.retry_after_secs }),
      retryable: this.retryable,
      exhausted: this.exhausted,
      attempts: this.attempts.map(({ credential: _credential, ...record }) => record),
    }
  }
}

/** Whether a value is a {@link HeedError}, of this copy of the package or any other, of this realm or another. */
export function isHeedError(value: unknown): value is HeedError {
  try {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[BRAND] === true
  } catch {
    return false
  }
}
