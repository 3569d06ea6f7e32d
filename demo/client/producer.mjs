import { readClassification } from 'heed'
import { classifySocketLoss } from './socket-loss.mjs'
import { wires } from './wires.mjs'

/**
 * The edge of one dialect, for heed. Refusals state their class themselves; what is added is what only the transport
 * and the stream's own items can tell.
 */
export function producerFor(dialect) {
  const wire = wires[dialect]
  return {
    classify: classifySocketLoss,
    inspect: (value) => (isFailure(value) ? readClassification(value) : undefined),
    isContent: (item) => wire.deltaOf(item) !== '',
    isEnd: wire.isEnd,
  }
}

function isFailure(value) {
  return typeof value === 'object' && value !== null && value.error !== undefined
}
