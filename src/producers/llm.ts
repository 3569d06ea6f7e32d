import { anyFamily, familyOf } from './by-shape.ts'
import { exceptionIn } from './dialects/aws-event-stream.ts'
import { families } from './families.ts'
import { readFacts } from './kit/facts.ts'
import type { Family } from './kit/family.ts'
import { anyShape, type StreamShape } from './kit/stream-shape.ts'
import { type AdapterProducer, adapter, type Classification, classifyFacts, type ProducerEnv } from './producer.ts'

/**
 * One producer for calls to any model's API, for people who do not want to choose: a failure is read by the family
 * whose mark it bears (its host, its headers, its shape), else by what all families say alike. Naming the family is
 * exacter: codes that two of them use differently count only there.
 */
export function llm(): AdapterProducer {
  return throughShape({ ...anyFamily('llm'), stream: anyStream() })
}

/** A producer that reads a failure as the family would that it is from, and as `rest` where that is not known. */
export function throughShape(rest: Family): AdapterProducer {
  const base = adapter({ ...rest, unwrap: exceptionIn })
  const read = (raw: unknown, { nowMs }: ProducerEnv): Classification | undefined => {
    const facts = readFacts(exceptionIn(raw))
    const family = familyOf(facts)
    const found = family === undefined ? undefined : classifyFacts(family, facts, nowMs)
    return found ?? classifyFacts(rest, facts, nowMs)
  }
  const classify = (raw: unknown, env: ProducerEnv): Classification | undefined => {
    try {
      return read(raw, env)
    } catch {
      return base.classify(raw, env)
    }
  }
  return {
    ...base,
    classify,
    inspect: (value, env) => {
      const found = base.inspect(value, env)
      return found === undefined ? undefined : (classify(rest.stream?.failureOf(value) ?? value, env) ?? found)
    },
  }
}

/** Every dialect at once. What one of them takes for a mere suspect is none here: another's answer may look so. */
function anyStream(): StreamShape {
  return anyShape([...new Set(families.flatMap(({ family }) => family.stream ?? []))])
}
