import type { ModelRetryAdvice } from '@openai/agents-core'
import type { Classification } from '../../core/classification.ts'
import type { Producer } from '../../core/producer.ts'
import { type HeedError, isHeedError } from '../../errors.ts'
import { combine } from '../../wire/combine.ts'
import { readClassification } from '../../wire/read-classification.ts'
import { isObject } from '../kit/is-object.ts'

/**
 * What a heed model tells the runner's own retry layer of an error that it threw. For errors that surface as they came
 * it remembers, as long as they live, what their producer read in them and whether content had gone out.
 */
export class RetryAdvice {
  readonly #read = new WeakMap<object, Classification>()
  readonly #committed = new WeakSet<object>()

  /** The producer, remembering what it reads. */
  listening<P extends Producer>(producer: P): P {
    return {
      ...producer,
      classify: (raw, env) => {
        const told = producer.classify(raw, env)
        if (told !== undefined && isObject(raw)) this.#read.set(raw, told)
        return told
      },
    }
  }

  /** The error ended a stream whose content had been handed over. */
  committed(error: unknown): void {
    if (isObject(error)) this.#committed.add(error)
  }

  /** Nothing where heed has nothing to say: an error without a class, or one that is not a model's. */
  about(error: unknown): ModelRetryAdvice | undefined {
    try {
      return this.#about(error)
    } catch {
      // An error that cannot be read: its fields throw.
      return undefined
    }
  }

  #about(error: unknown): ModelRetryAdvice | undefined {
    if (isHeedError(error)) return ofHeedError(error)
    if (!isObject(error)) return undefined
    const { class: stated, retryAfterSecs, ambiguous } = combine(readClassification(error), this.#read.get(error))
    const committed = this.#committed.has(error) || error['responseStarted'] === true
    if (committed || ambiguous === true || error['unsafeToReplay'] === true) {
      return {
        suggested: false,
        replaySafety: 'unsafe',
        reason: committed ? 'heed: the answer had begun' : 'heed: the request may have been executed',
        ...(committed ? { responseStarted: true } : undefined),
        ...floor(retryAfterSecs),
      }
    }
    return stated === undefined ? undefined : { reason: `heed: class ${stated}`, ...floor(retryAfterSecs) }
  }
}

/**
 * heed has given up: nobody is to go on for it. The facts that generic policies (`httpStatus`, `networkError`,
 * `retryAfter`) would find in the last failure, along `cause`, are taken out, for it is not that failure that they
 * would repeat but all of heed's attempts. What heed found itself left an attempt open.
 */
function ofHeedError({ reason, message, class: stated, retry_after_secs: secs }: HeedError): ModelRetryAdvice {
  const nothing = { statusCode: undefined, retryAfterMs: undefined, errorCode: reason, isNetworkError: false }
  return {
    suggested: false,
    reason: message,
    // An absent field would leave what the runner found; the SDK's types know no undefined one.
    normalized: nothing as object,
    ...floor(secs),
    ...(stated === undefined ? { replaySafety: 'unsafe' } : undefined),
    ...(reason === 'idle_timeout' ? { responseStarted: true } : undefined),
  }
}

/** The hint, as the host counts: not before that. */
function floor(retryAfterSecs: number | undefined): Pick<ModelRetryAdvice, 'retryAfterMs'> | undefined {
  return retryAfterSecs === undefined ? undefined : { retryAfterMs: retryAfterSecs * 1_000 }
}
