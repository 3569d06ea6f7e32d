import { field } from './kit/facts.ts'
import { type AdapterProducer, adapter, codeTable } from './producer.ts'

/**
 * Errors of cockatiel's own policies, told by their flags or names, never by class: an open circuit and a full bulkhead
 * ran nothing, a cancelled task (its timeout) may have run. What a policy let through is not read here: name the
 * source's own producer for that.
 */
export const cockatiel: AdapterProducer = adapter({
  id: 'cockatiel',
  codes: codeTable({
    transient: 'brokencircuiterror isolatedcircuiterror bulkheadrejectederror',
    ambiguous: 'taskcancellederror',
  }),
  hints: {},
  unwrap: named,
})

const FLAGS = {
  isBrokenCircuitError: 'BrokenCircuitError',
  isBulkheadRejectedError: 'BulkheadRejectedError',
  isTaskCancelledError: 'TaskCancelledError',
} as const

/** These errors carry a flag and the plain name `Error`; the flag is made their name. */
function named(raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null) return raw
  for (const flag of Object.keys(FLAGS) as (keyof typeof FLAGS)[]) {
    if (field(raw, flag) === true) return { name: FLAGS[flag] }
  }
  return { name: field(raw, 'name') }
}
