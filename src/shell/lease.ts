import { tallyOf } from '../core/call-state.ts'
import type { Target } from '../core/candidate.ts'
import type { Advance, Retry } from '../core/decision.ts'
import { coolingUntilMs } from '../core/marks.ts'
import { isEligible } from '../core/selection.ts'
import type { LeaseRoom } from '../health/lease-room.ts'
import type { Call } from './call.ts'

/** A store that does not say by then who probes is not waited for: the call goes on by what is known here. */
const ANSWER_MS = 1_000

/**
 * Asks whether this call is the probe that goes first of all processes; where none share a store there is nothing to
 * ask. The others see its lease, and wait or go elsewhere.
 */
export function askLease(call: Call, { target }: Retry | Advance): Promise<boolean> | undefined {
  const { engine } = call
  const { store, policy, clock, timers } = engine
  if (store.mirror === undefined) return undefined
  const nowMs = clock.now()
  // One that comes back early by its own leave is no probe of others'.
  if (coolingUntilMs(store.marks, target) > nowMs + 1) return undefined
  const answer = store.lease(policy, target, nowMs)
  if (answer === undefined) return undefined
  return new Promise((resolve) => {
    const release = (): unknown => store.observe(policy, { kind: 'unproven', target, nowMs: timers.now(nowMs) })
    let isGone = false
    const done = (mine: boolean): void => {
      if (call.underWay !== asking) return
      call.underWay = undefined
      timers.cancel(alarm)
      call.waitedMs += timers.now(nowMs) - nowMs
      const isProbe = mine && isStillFree(call, target)
      isGone = !isProbe
      resolve(isProbe)
    }
    const alarm = timers.add(Math.min(nowMs + ANSWER_MS, call.deadlineMs), () =>
      done(timers.now(nowMs) < call.deadlineMs),
    )
    const asking = { cancel: () => done(false) }
    call.underWay = asking
    void answer.then((mine) => {
      done(mine !== false)
      // Only what the store has given: else it is another's.
      if (isGone && mine === true) release()
    })
  })
}

/** While a call asked it may have been told more: of its target's hint, its provider, or its death. */
function isStillFree(call: Call, target: Target): boolean {
  const { policy, store, timers } = call.engine
  const { marks } = store
  const view = { policy, state: call.stateNow(), marks, nowMs: timers.now(call.nowMs), random: 0 }
  return isEligible(view, target) && (marks.cooling[target.key]?.untilMs ?? 0) <= view.nowMs
}

/** Where a call waits that waits for nothing but another's probe, with the key of its target. */
export function roomOf(call: Call): readonly [room: LeaseRoom, key: string] | undefined {
  const { mirror, current } = call.engine.store
  const { state } = call
  const target = state?.chosen
  if (mirror === undefined || state === undefined || target === null || target === undefined) return undefined
  const mark = current.cooling[target.key]
  const isLeased = mark?.openUntilMs !== undefined && mark.openUntilMs > Math.max(mark.untilMs, call.nowMs)
  return isLeased && tallyOf(state, target).readyAtMs <= call.nowMs ? [mirror.room, target.key] : undefined
}
