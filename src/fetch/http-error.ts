import type { Classification } from '../core/classification.ts'

/** The public face of an {@link HttpError}: safe to log and to send on. */
export interface HttpErrorJson {
  readonly name: 'HttpError'
  readonly code: 'http_error'
  readonly message: string
  readonly status: number
  readonly class?: string
  readonly retry_after_secs?: number
  readonly exhausted?: true
}

/** What an {@link HttpError} is made of. */
export interface HttpErrorInit {
  readonly status: number
  readonly classification: Classification
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** Parsed where it is JSON, else text. */
  readonly body: unknown
  readonly url?: string | undefined
  /** Why the body could not be read whole. */
  readonly cause?: unknown
}

const BRAND = Symbol.for('heed.http-error')
const INSPECT = Symbol.for('nodejs.util.inspect.custom')

/**
 * An HTTP answer that is a failure, with its class beside it as the error-class contract spells it: any consumer of the
 * contract reads it without an adapter. It has two faces: `toJSON()` and what is enumerable hold nothing that the server
 * wrote; `body`, `headers`, `url`, `classification` and `cause` are for the program that catches it, and untrusted.
 */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly code = 'http_error'
  readonly status: number
  /** Absent where nobody stated one, and where the request may have been executed. */
  declare readonly class?: string
  /** Seconds, as the producer stated them. */
  declare readonly retry_after_secs?: number
  /** A retry layer behind the server gave up already. */
  declare readonly exhausted?: true
  /** Private. By lower-case name. */
  declare readonly headers: Readonly<Record<string, string>>
  /** Private. Parsed where it is JSON, else text; as much of it as was read. */
  declare readonly body: unknown
  /** Private: keys may stand in it. */
  declare readonly url: string | undefined
  /** Private. All that the wire and the producer said, with the rule that decided in `detail`. */
  declare readonly classification: Classification

  constructor(init: HttpErrorInit) {
    super(
      `heed: the server answered with status ${init.status}`,
      init.cause === undefined ? undefined : { cause: init.cause },
    )
    const { classification } = init
    this.status = init.status
    // The contract has no word for "perhaps executed". A class alone would have consumers send the request again.
    if (classification.class !== undefined && classification.ambiguous !== true) {
      this.class = classification.class
      if (classification.retryAfterSecs !== undefined) this.retry_after_secs = classification.retryAfterSecs
      if (classification.exhausted === true) this.exhausted = true
    }
    const { headers, body, url } = init
    for (const [name, value] of Object.entries({ headers, body, url, classification })) hide(this, name, value)
    hide(this, BRAND, true)
    hide(this, INSPECT, () => `${this.stack}\n${JSON.stringify(this)}`)
  }

  /** The public face. A class outside the set stays in, as it came: consumers pass it on. */
  toJSON(): HttpErrorJson {
    return {
      name: 'HttpError',
      code: 'http_error',
      message: this.message,
      status: this.status,
      ...(this.class === undefined ? {} : { class: this.class }),
      ...(this.retry_after_secs === undefined ? {} : { retry_after_secs: this.retry_after_secs }),
      ...(this.exhausted === true ? { exhausted: true } : {}),
    }
  }
}

/** Whether a value is an {@link HttpError}, of this copy of the package or any other, of this realm or another. */
export function isHttpError(value: unknown): value is HttpError {
  try {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[BRAND] === true
  } catch {
    return false
  }
}

function hide(error: HttpError, name: string | symbol, value: unknown): void {
  Object.defineProperty(error, name, { value, enumerable: false, configurable: true, writable: true })
}
