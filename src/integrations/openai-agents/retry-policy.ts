import type { RetryPolicy, RetryPolicyContext } from '@openai/agents-core'
import type { Classification } from '../../core/classification.ts'
import type { Clock } from '../../core/clock.ts'
import { backoffMs, waitMs } from '../../core/delay.ts'
import { mustBeKnown } from '../../core/must-be-known.ts'
import type { Producer } from '../../core/producer.ts'
import type { Backoff } from '../../core/strategy.ts'
import { policyOf } from '../../heed.ts'
import { systemClock, systemRandom } from '../../shell/environment.ts'
import { combine } from '../../wire/combine.ts'
import { readClassification } from '../../wire/read-classification.ts'
import { agentsProducer } from './agents-producer.ts'
import { defaultProducer } from './default-producer.ts'

/** What {@link heedRetryPolicy} takes. Everything has a default. */
export interface HeedRetryPolicyOptions {
  /** Reads the model's failures. @default llm(): it tells the APIs apart */
  readonly producer?: Producer | undefined
  /** The wait before a repeat; the producer's hint is a floor beside it. @default exponential(), as `heed()` has it */
  readonly backoff?: Backoff | undefined
  /** Milliseconds: a failure that asks for a longer wait is not repeated. @default 60_000 */
  readonly maxWaitMs?: number | undefined
  /** Requests may be executed twice without harm, so an ambiguous failure may be repeated. @default false */
  readonly idempotent?: boolean | undefined
  /** Read for the dates in hints only. @default the process's */
  readonly clock?: Clock | undefined
  /** Answers a number in [0, 1). @default Math.random */
  readonly random?: (() => number) | undefined
}

const OPTIONS = [
  'producer',
  'backoff',
  'maxWaitMs',
  'idempotent',
  'clock',
  'random',
] satisfies readonly (keyof HeedRetryPolicyOptions)[]

/**
 * A policy for `modelSettings.retry`, for people who do not want another model but the runner's own retries, going by
 * the class: `transient` is repeated, not before its hint; nothing else is, nor what may have been executed. How often
 * is the runner's `maxRetries`. Give the client `maxRetries: 0`: the runner switches the client's own repeats off only
 * from its second request on.
 *
 * @throws TypeError where the options are wrong, naming the path and the fix.
 */
export function heedRetryPolicy(options: HeedRetryPolicyOptions = {}): RetryPolicy {
  // heed knows more options than are of use here, and would let them pass.
  mustBeKnown(options, OPTIONS, 'heedRetryPolicy')
  const {
    producer = defaultProducer(),
    clock = systemClock,
    random = systemRandom,
    idempotent = false,
    ...waits
  } = options
  const only = { id: 'model', provider: 'model', producer }
  const policy = policyOf({ ...waits, candidates: [only], idempotent, clock, random })
  const reader = agentsProducer(producer)
  return (context) => {
    const { error, attempt } = context
    const told = combine(readClassification(error), reader.classify(error, { nowMs: clock.wallNow() }))
    const ambiguous = told.ambiguous === true || toldUnsafe(context)
    const stated = told.class ?? (ambiguous ? 'transient' : undefined)
    if (ambiguous && !idempotent) return { retry: false, reason: 'heed: the request may have been executed' }
    if (stated !== 'transient' || told.exhausted === true) return { retry: false, reason: refusal(told) }
    const drawn = random()
    const ownMs = backoffMs(policy, { repeat: attempt, random: drawn })
    const delayMs = waitMs(ownMs, told.retryAfterSecs, drawn, false)
    if (delayMs > policy.limits.maxWaitMs) return { retry: false, reason: 'heed: the wait is too long' }
    return {
      retry: true,
      delayMs,
      reason: 'heed: transient',
      ...(ambiguous ? { approveUnsafeReplay: true } : undefined),
    }
  }
}

/** What the runner knows beside the error: its own timeout cut the request, or the model says that it was accepted. */
function toldUnsafe({ replaySafety, responseStarted, providerAdvice }: RetryPolicyContext): boolean {
  return replaySafety === 'unsafe' || providerAdvice?.replaySafety === 'unsafe' || responseStarted === true
}

function refusal({ class: stated, exhausted }: Classification): string {
  if (exhausted === true) return 'heed: a retry layer below gave up'
  return stated === undefined ? 'heed: no class is known' : `heed: class ${stated}`
}
