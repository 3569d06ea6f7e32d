import { type Classification, isErrorClass } from '../core/classification.ts'
import { isHint } from '../core/delay.ts'
import { isLate } from '../core/thenable.ts'
import { combine } from '../wire/combine.ts'
import { hintFault, readWire } from '../wire/read-classification.ts'
import type { Call } from './call.ts'

/**
 * What is known of something thrown, or answered as a failure: the wire, the producer's adapter, and where that is no
 * class of the set, the guard's own mapping.
 */
export function classify(call: Call, error: unknown, answered: Classification | undefined): Classification {
  const wire = readWire(error)
  if (wire.malformedHint !== undefined) call.malformed('wire', 'retry_after_secs', wire.malformedHint)
  const adapter = answered ?? ask(call, error)
  const combined = combine(wire.classification, adapter)
  return isErrorClass(combined.class) ? combined : mapped(call, error, combined)
}

/** What a producer says of an answer: nothing where it is an ordinary value. */
export function inspectAnswer(call: Call, value: unknown): Classification | undefined {
  const { producer } = call
  if (producer?.inspect === undefined) return undefined
  try {
    return sound(call, producer.inspect(value, call.engine.producerEnv), 'producer', 'inspect')
  } catch {
    call.malformed('producer', 'inspect', 'threw')
    return undefined
  }
}

function ask(call: Call, error: unknown): Classification | undefined {
  const { producer } = call
  if (producer === undefined) return undefined
  try {
    return sound(call, producer.classify(error, call.engine.producerEnv), 'producer', 'classify')
  } catch {
    call.malformed('producer', 'classify', 'threw')
    return undefined
  }
}

function mapped(call: Call, error: unknown, combined: Classification): Classification {
  const slot = combined.class === undefined ? 'unclassified' : 'unknown'
  let answer: Classification | undefined
  try {
    answer = sound(call, call.engine.parts[slot](error, Object.freeze(combined)), 'strategy', slot)
  } catch {
    call.malformed('strategy', slot, 'threw')
  }
  if (answer === undefined) return combined
  // A mapping says what the class is; it cannot make a request unsent, nor unsay that a layer below gave up.
  return {
    ...combine({ class: undefined }, answer),
    ...(combined.ambiguous === true ? { ambiguous: true } : undefined),
    ...(combined.exhausted === true ? { exhausted: true } : undefined),
  }
}

/** An adapter's or a strategy's answer, or nothing where it is no classification; a bad hint in it is dropped. */
function sound(
  call: Call,
  answer: unknown,
  source: 'producer' | 'strategy',
  field: string,
): Classification | undefined {
  if (answer === undefined || answer === null) return undefined
  const claimed = answer as Partial<Record<keyof Classification, unknown>>
  const stated = typeof answer === 'object' && !isLate(answer) ? claimed.class : null
  if (stated !== undefined && typeof stated !== 'string') {
    call.malformed(source, field, 'wrong_type')
    return undefined
  }
  const fault = hintFault(claimed.retryAfterSecs)
  if (fault !== undefined) call.malformed(source, 'retryAfterSecs', fault)
  return {
    class: stated,
    ...(isHint(claimed.retryAfterSecs) ? { retryAfterSecs: claimed.retryAfterSecs } : undefined),
    ...(claimed.ambiguous === true ? { ambiguous: true } : undefined),
    ...(claimed.scope === 'provider' ? { scope: 'provider' } : undefined),
    ...(claimed.exhausted === true ? { exhausted: true } : undefined),
    ...(claimed.detail === undefined ? undefined : { detail: claimed.detail }),
  }
}
