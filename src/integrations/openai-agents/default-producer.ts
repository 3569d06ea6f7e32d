import type { Producer } from '../../core/producer.ts'
import { llm } from '../../producers/llm.ts'

let made: Producer | undefined

/** Reads the failures of any API. One for all models: its tables are made at its first failure, which takes a while. */
export function defaultProducer(): Producer {
  made ??= llm()
  return made
}
