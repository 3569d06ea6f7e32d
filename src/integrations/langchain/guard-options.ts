import type { Candidate } from '../../core/candidate.ts'
import type { UnknownStrategy } from '../../core/strategy.ts'
import type { HeedOptions } from '../../options.ts'
import { isControlFlow } from '../../producers/kit/control-flow.ts'
import { langchain } from '../../producers/langchain.ts'
import type { Producer } from '../../producers/producer.ts'

/** heed's own options, to be handed on unchanged. */
export type GuardOptions = Omit<HeedOptions<Candidate>, 'candidates'>

/**
 * The options of a guard that sees LangGraph's signals: an interrupt or a command to the parent passes through as it is,
 * whatever producer reads failures and whatever is made of those that have no class.
 */
export function passingSignals<C extends Candidate>(options: HeedOptions<C>): HeedOptions<C> {
  const { candidates, producer, unclassified } = options
  return {
    ...options,
    // What is no list is refused by heed itself.
    candidates: Array.isArray(candidates)
      ? candidates.map((each: C) => ({ ...each, ...(each.producer && { producer: deaf(each.producer) }) }))
      : candidates,
    ...(producer && { producer: deaf(producer) }),
    ...(typeof unclassified === 'function' && { unclassified: unmapped(unclassified) }),
  }
}

function deaf(producer: Producer): Producer {
  // What is no producer is refused by heed itself.
  if (typeof producer.classify !== 'function') return producer
  return {
    classify: (raw, env) => (isControlFlow(raw) ? undefined : producer.classify(raw, env)),
    ...(producer.inspect && { inspect: (value, env) => producer.inspect?.(value, env) }),
    // The items are LangChain's own, whoever reads what failed.
    isContent: (item) => langchain.isContent?.(item),
    isEnd: (item) => langchain.isEnd?.(item),
  }
}

function unmapped(strategy: UnknownStrategy): UnknownStrategy {
  return (error, classification) => (isControlFlow(error) ? undefined : strategy(error, classification))
}
