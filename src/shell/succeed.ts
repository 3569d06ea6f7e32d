import type { Draft } from '../core/draft.ts'
import type { SuccessEvent } from '../health/call-events.ts'
import { countSuccess } from './breaker.ts'
import type { Call } from './call.ts'

/**
 * The last attempt served: that ends it and its call.
 *
 * @param delivered - Items handed to the consumer of a stream.
 */
export function succeed(call: Call, delivered?: number): void {
  const { engine, target } = call
  const { channel, store, policy } = engine
  call.handle = undefined
  engine.deposit(target)
  if (engine.parts.breaker !== undefined) countSuccess(call)
  // The first target is looked up once for all calls: among a thousand marks of others that is a fifth of a call.
  const isUnmarked = store.version === 0 || (target === engine.first && engine.isClear(undefined))
  if (!isUnmarked && (store.current.cooling[target.key] ?? store.current.dead) !== undefined) {
    const nowMs = engine.clock.now()
    const [before, after] = store.observe(policy, { kind: 'success', target, probe: call.probeUntilMs > 0, nowMs })
    if (before.cooling !== after.cooling && after.cooling[target.key] === undefined) {
      channel.emit('recovered', { ...call.targetEvent(), by: 'success' })
    }
  }
  if (channel.heard.success === 0) return
  const event = call.targetEvent() as Draft<SuccessEvent>
  event.attempts = call.records.length + 1
  if (delivered !== undefined) event.delivered = delivered
  channel.emit('success', event)
}
