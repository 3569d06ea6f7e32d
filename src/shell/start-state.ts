import { type CallState, startCall } from '../core/call-state.ts'
import type { Call } from './call.ts'

/** The state that a call starts with. One that brings nothing of its own shares its engine's: no state ever changes. */
export function startState({ engine, deadlineMs, options }: Call): CallState {
  const { inputTokens, idempotent, reduce } = options
  const plain = inputTokens === undefined && idempotent === undefined && reduce === undefined
  if (plain && deadlineMs === Number.POSITIVE_INFINITY) return engine.plainState
  return startCall(engine.policy, {
    deadlineMs,
    inputTokens,
    idempotent: idempotent ?? engine.parts.idempotent,
    canReduce: reduce !== undefined,
  })
}
