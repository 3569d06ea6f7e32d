import type { Attempt, Candidate } from 'heed'
import type { FakeClock } from 'heed/testing'
import { thrown } from './failure.ts'
import type { Entry, Invoked } from './log.ts'
import type { CallSpec, Said, Step, StreamStep } from './scenario.ts'

/** The function of a call: does what its steps say, one per invocation, and writes down that it was asked. */
export function invocationOf(
  spec: CallSpec,
  call: number,
  clock: FakeClock,
  log: Entry[],
): (attempt: Attempt<Candidate, number>) => Promise<unknown> {
  let turn = 0
  return async (attempt) => {
    const step = spec.steps[turn] ?? past(spec)
    turn += 1
    const invoked = invokedBy(attempt, step, call, clock.now())
    log.push(invoked)
    const commit = (): void => {
      log.push({ type: 'commits', invoked, at: clock.now() })
      attempt.commit()
    }
    if (step.does === 'hang') {
      if (step.commits === true) commit()
      return new Promise(() => {})
    }
    await sleep(clock, step.afterMs)
    if (step.does === 'stream') return stream(step, invoked, clock, log)
    if (step.commits === true) commit()
    if (step.does === 'throw') {
      log.push({ type: 'returned', invoked, at: clock.now(), said: {}, error: step.value })
      throw step.value
    }
    if (step.does === 'fail') return fail(step.said, invoked, clock, log)
    log.push({ type: 'returned', invoked, at: clock.now() })
    return `answer of ${invoked.candidate}`
  }
}

const ANSWER: Step = { does: 'answer', afterMs: 0 }
const WHOLE_STREAM: Step = { does: 'stream', afterMs: 0, gapMs: 0, items: ['content'], ends: 'end' }

function past(spec: CallSpec): Step {
  return spec.via === 'stream' ? WHOLE_STREAM : ANSWER
}

function invokedBy(attempt: Attempt<Candidate, number>, step: Step, call: number, at: number): Invoked {
  const { candidate, callId, number, targetAttempt, idempotencyKey, input } = attempt
  const given = attempt.credential as string | { readonly id: string } | undefined
  const credential = typeof given === 'object' ? given.id : given
  return {
    type: 'invoked',
    call,
    callId,
    candidate: candidate.id,
    provider: candidate.provider,
    ...(credential === undefined ? {} : { credential }),
    ...(candidate.contextWindow === undefined ? {} : { contextWindow: candidate.contextWindow }),
    number,
    targetAttempt,
    idempotencyKey,
    input,
    at,
    step,
  }
}

function fail(said: Said, invoked: Invoked, clock: FakeClock, log: Entry[]): never {
  const error = thrown(said)
  log.push({ type: 'returned', invoked, at: clock.now(), said, error })
  throw error
}

async function* stream(step: StreamStep, invoked: Invoked, clock: FakeClock, log: Entry[]): AsyncGenerator<unknown> {
  let over = false
  try {
    for (const [index, kind] of step.items.entries()) {
      await sleep(clock, step.gapMs)
      yield { kind, index, number: invoked.number }
    }
    await sleep(clock, step.gapMs)
    if (step.ends === 'hang') await new Promise(() => {})
    over = true
    if (typeof step.ends === 'object') fail(step.ends, invoked, clock, log)
    log.push({ type: 'returned', invoked, at: clock.now() })
  } finally {
    if (!over) log.push({ type: 'closed', invoked, at: clock.now() })
  }
}

/** No timer for no time, so that a run takes few turns of the event loop. */
function sleep(clock: FakeClock, delayMs: number): Promise<void> | undefined {
  if (delayMs === 0) return undefined
  return new Promise((resolve) => {
    clock.setTimeout(resolve, delayMs)
  })
}
