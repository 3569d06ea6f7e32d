import type { Occasion, Pause } from '../core/decision.ts'
import { providerMark } from '../core/marks.ts'
import type { Call } from './call.ts'

/** Waits out a delay; an abort ends it at once. */
export function wait(call: Call, delayMs: number): Promise<void> {
  const { timers, clock } = call.engine
  const startMs = clock.now()
  return new Promise((resolve) => {
    const done = (): void => {
      call.underWay = undefined
      call.waitedMs += clock.now() - startMs
      resolve()
    }
    const alarm = timers.add(startMs + delayMs, done)
    call.underWay = {
      cancel: () => {
        timers.cancel(alarm)
        done()
      },
    }
  })
}

/** How a pause ends, and how long the call then stays behind others. */
interface Answer {
  readonly outcome: 'resolved' | 'declined' | 'unanswered'
  readonly afterMs: number
}

/** Waits for a human's answer about a provider, as long as the call may; an abort ends it at once. */
export async function pause(call: Call, { candidate, provider, generation }: Pause): Promise<Occasion> {
  const { clock, policy, channel } = call.engine
  const startMs = clock.now()
  const untilMs = Math.min(startMs + policy.limits.maxPauseMs, call.deadlineMs)
  const answer = answeredAlready(call, provider, generation) ?? (await answerFor(call, provider, untilMs))
  call.waitedMs += clock.now() - startMs
  // A place behind the others that does not fit in the pause is no place: such a call goes at once.
  if (answer.afterMs > 0 && !call.aborted && clock.now() + answer.afterMs < untilMs) await wait(call, answer.afterMs)
  if (call.aborted) return { kind: 'wake' }
  const { outcome } = answer
  channel.emit('resume', { ...call.callEvent(), candidate, provider, outcome, pausedMs: clock.now() - startMs })
  return outcome === 'unanswered' ? { kind: 'unanswered', provider, generation } : { kind: 'answered' }
}

/** A listener of `pause` may have answered before the call could wait for it. */
function answeredAlready(call: Call, provider: string, generation: number): Answer | undefined {
  const { store } = call.engine
  const mark = providerMark(store.marks, provider)
  if (mark.declined) return { outcome: 'declined', afterMs: 0 }
  return mark.generation === generation ? undefined : { outcome: 'resolved', afterMs: 0 }
}

function answerFor(call: Call, provider: string, untilMs: number): Promise<Answer> {
  const { timers, parts } = call.engine
  return new Promise((resolve) => {
    const done = (outcome: Answer['outcome'], afterMs: number): void => {
      call.underWay = undefined
      if (alarm !== undefined) timers.cancel(alarm)
      resolve({ outcome, afterMs })
    }
    const leave = parts.desk.join(provider, done)
    const unanswered = (): void => {
      leave()
      done('unanswered', 0)
    }
    const alarm = untilMs < Number.POSITIVE_INFINITY ? timers.add(untilMs, unanswered) : undefined
    call.underWay = { cancel: unanswered }
  })
}
