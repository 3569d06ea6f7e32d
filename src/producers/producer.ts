import type { Classification, ErrorClass } from '../core/classification.ts'
import type { Producer, ProducerEnv } from '../core/producer.ts'
import { readFacts } from './kit/facts.ts'
import type { Family } from './kit/family.ts'
import { classifyFacts } from './kit/reading.ts'
import { isItem } from './kit/stream-shape.ts'

export { type CodeLists, type CodeTable, codeTable, type Outcome } from './kit/codes.ts'
export { deepField, type Facts, field, readFacts } from './kit/facts.ts'
export { derive, type Family, type Signature } from './kit/family.ts'
export type { HintRules } from './kit/hints.ts'
export { classifyFacts } from './kit/reading.ts'
export { type Item, isItem, payloadOf, type StreamShape } from './kit/stream-shape.ts'
export type { TextRule } from './kit/wording.ts'
export type { Classification, ErrorClass, Producer, ProducerEnv }

/** A producer made from a family's tables, which it shows so that others can be built on them. */
export interface AdapterProducer extends Producer {
  readonly family: Family
  inspect(value: unknown, env: ProducerEnv): Classification | undefined
}

/**
 * Makes the producer of a family. It never throws, whatever comes in; `detail` names the rule that decided, with the
 * provider's code and the status where these did, and never holds a message.
 */
export function adapter(family: Family): AdapterProducer {
  const { stream } = family
  return {
    family,
    classify: (raw, env) => guarded(read, family, raw, env),
    inspect: (value, env) => guarded(inspectValue, family, value, env),
    ...(stream?.isContent === undefined ? undefined : { isContent: (item) => safely(stream.isContent, item) }),
    ...(stream?.isEnd === undefined ? undefined : { isEnd: (item) => safely(stream.isEnd, item) }),
  }
}

/** What cannot be read is not classified. */
function guarded(ask: typeof read, family: Family, value: unknown, env: ProducerEnv): Classification | undefined {
  try {
    return ask(family, value, env)
  } catch {
    return undefined
  }
}

/** What cannot be read is no item of any dialect. */
function safely(test: ((item: unknown) => boolean | undefined) | undefined, item: unknown): boolean | undefined {
  try {
    return test?.(item)
  } catch {
    return undefined
  }
}

function inspectValue(family: Family, value: unknown, env: ProducerEnv): Classification | undefined {
  const failure = isFailedAnswer(value) ? value : family.stream?.failureOf(value)
  if (failure !== undefined) {
    // It is a failure whether or not anybody knows its class: an error item must not pass for an answer.
    return read(family, failure, env) ?? { class: undefined, detail: { rule: `${family.id}.unclassified` } }
  }
  const suspect = family.stream?.suspectOf?.(value)
  return suspect === undefined ? undefined : read(family, suspect, env)
}

function read(family: Family, value: unknown, env: ProducerEnv): Classification | undefined {
  return classifyFacts(family, readFacts(family.unwrap === undefined ? value : family.unwrap(value)), env.nowMs)
}

/** What `fetch` answers where the status is a failure. */
function isFailedAnswer(value: unknown): boolean {
  return isItem(value) && value['ok'] === false && typeof value['status'] === 'number' && value['status'] >= 400
}
