import type { Occasion, Reduce } from '../core/decision.ts'
import type { Call } from './call.ts'

/** Asks the caller for a smaller input; an abort or the deadline ends that at once. */
export async function reduce(call: Call, { target }: Reduce): Promise<Occasion> {
  const { engine, options } = call
  const { timers, parts } = engine
  const before = call.input
  const answer = await new Promise<unknown>((resolve) => {
    const alarm =
      call.deadlineMs < Number.POSITIVE_INFINITY ? timers.add(call.deadlineMs, () => done(undefined)) : undefined
    const done = (value: unknown): void => {
      call.underWay = undefined
      if (alarm !== undefined) timers.cancel(alarm)
      resolve(value)
    }
    call.underWay = { cancel: () => done(undefined) }
    ask().then(done, (error: unknown) => {
      call.reduceError = { error }
      done(undefined)
    })
  })
  if (answer === undefined || answer === before) return { kind: 'not_reduced' }
  call.input = answer
  call.reductions += 1
  return { kind: 'reduced', target }

  async function ask(): Promise<unknown> {
    const candidate = parts.chain[target.position]
    const attempt = call.records.length
    const classification = call.lastClassification ?? { class: 'context_overflow' }
    return options.reduce?.(before, Object.freeze({ candidate: candidate as never, classification, attempt }))
  }
}
