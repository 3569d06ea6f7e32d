import type { Occasion, Pause } from '../core/decision.ts'
import { providerMark } from '../core/marks.ts'
import type { LeaseRoom, Sleeping } from '../health/lease-room.ts'
import type { Call } from './call.ts'
import { roomOf } from './lease.ts'
import type { Cancellable } from './link-abort.ts'
import type { Alarm } from './timer-queue.ts'

/** A wait is over: the call looks around anew. */
export const WAKE: Occasion = Object.freeze({ kind: 'wake' })

/**
 * Waits out a delay; an abort ends it at once. A promise, because many calls share one timer: what follows its reaction
 * runs in the async context of the call that waits, not of whoever set the timer.
 */
export function wait(call: Call, delayMs: number): Promise<Occasion> {
  return new Promise((resolve) => {
    const waiting = new Wait(call, call.nowMs + delayMs, () => resolve(WAKE))
    call.underWay = waiting
    call.engine.timers.set(waiting)
    const leased = call.engine.store.mirror === undefined ? undefined : roomOf(call)
    if (leased !== undefined) waiting.join(...leased)
  })
}

/** A call's wait: its own alarm, so that a waiting call holds one object for it. */
class Wait implements Alarm, Cancellable, Sleeping {
  atMs: number
  place = -1
  readonly #call: Call
  readonly #over: () => void
  #leave: (() => void) | undefined

  constructor(call: Call, atMs: number, over: () => void) {
    this.#call = call
    this.atMs = atMs
    this.#over = over
  }

  /** Waits for a probe too: the wait ends sooner where that has served. */
  join(room: LeaseRoom, key: string): void {
    this.#leave = () => room.leave(key, this)
    room.join(key, this)
  }

  hasten(atMs: number): void {
    if (atMs >= this.atMs || this.place < 0) return
    this.#call.engine.timers.cancel(this)
    this.atMs = atMs
    this.#call.engine.timers.set(this)
  }

  ring(): void {
    this.#leave?.()
    this.#call.underWay = undefined
    this.#call.waitedMs += this.#call.engine.timers.now(this.atMs) - this.#call.nowMs
    this.#over()
  }

  cancel(): void {
    this.#call.engine.timers.cancel(this)
    this.ring()
  }
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
  const answer = answeredAlready(call, provider, generation) ?? (await answerFor(call, candidate, provider, untilMs))
  call.waitedMs += clock.now() - startMs
  // A place behind the others that does not fit in the pause is no place: such a call goes at once.
  call.nowMs = clock.now()
  if (answer.afterMs > 0 && !call.aborted && call.nowMs + answer.afterMs < untilMs) await wait(call, answer.afterMs)
  if (call.aborted) return WAKE
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

function answerFor(call: Call, candidate: string, provider: string, untilMs: number): Promise<Answer> {
  const { timers, parts } = call.engine
  return new Promise((resolve) => {
    const done = (outcome: Answer['outcome'], afterMs: number): void => {
      call.underWay = undefined
      if (alarm !== undefined) timers.cancel(alarm)
      resolve({ outcome, afterMs })
    }
    const leave = parts.desk.join(provider, done, () => ({ ...call.callEvent(), candidate, provider }))
    const unanswered = (): void => {
      leave()
      done('unanswered', 0)
    }
    const alarm = untilMs < Number.POSITIVE_INFINITY ? timers.add(untilMs, unanswered) : undefined
    call.underWay = { cancel: unanswered }
  })
}
