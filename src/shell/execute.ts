import type { Candidate } from '../core/candidate.ts'
import type { CallOptions, Outcome, Served } from '../options.ts'
import { Call } from './call.ts'
import type { Ended, Unserved } from './end.ts'
import type { Engine } from './engine.ts'
import { recordOf } from './record.ts'
import { type AttemptFailure, judge, runUnary } from './run-attempt.ts'
import { Loop, runCall } from './run-call.ts'
import { succeed } from './succeed.ts'

type Fn = (attempt: never) => unknown
type Options = CallOptions<Candidate, unknown>

/**
 * Runs a unary call to its value, or throws. Where nothing stands against the first target and nothing can cut the
 * attempt it is made here, without the loop: a call that succeeds makes no timer, no controller and no call state.
 */
export function execute(engine: Engine, fn: Fn, options: Options): Promise<unknown> {
  let call: Call
  try {
    call = new Call(engine, fn, options, false)
  } catch (error) {
    return Promise.reject(error)
  }
  if (call.signal !== undefined || call.cutsAttempts || !engine.isClear(options.inputTokens)) {
    return deliver(call)
  }
  const handle = call.beginFirst()
  const failed = (error: unknown): Promise<unknown> => deliver(call, { ok: false, error })
  try {
    return Promise.resolve(fn(handle as never)).then((value) => {
      if (call.producer?.inspect !== undefined) {
        const outcome = judge(call, value)
        if (!outcome.ok) return deliver(call, outcome)
      }
      succeed(call)
      return value
    }, failed)
  } catch (error) {
    return failed(error)
  }
}

/**
 * Runs the loop to a value. Failure is a value until here: this is where it is thrown.
 *
 * @param failed - How the first attempt ended, where it has been made already.
 */
function deliver(call: Call, failed?: AttemptFailure): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const done = (ended: Ended<unknown>): void => {
      if (ended.ok) {
        succeed(call)
        resolve(ended.value)
      } else if (ended.answer) resolve(ended.error)
      else reject(ended.error)
    }
    const loop = new Loop(call, runUnary, done, reject)
    if (failed === undefined) loop.start()
    else loop.attempted(failed)
  })
}

/** Runs a unary call to an outcome. Never throws. */
export async function settle(engine: Engine, fn: Fn, options: Options): Promise<Outcome<unknown, unknown>> {
  let call: Call | undefined
  try {
    call = new Call(engine, fn, options, false)
    return outcomeOf(call, await runCall(call, runUnary))
  } catch (error) {
    return { status: 'failed', error, attempts: call?.records ?? [] }
  }
}

function outcomeOf(call: Call, ended: Ended<unknown>): Outcome<unknown, unknown> {
  if (!ended.ok && !ended.answer) return unserved(call, ended)
  if (ended.ok) succeed(call)
  const served = servedBy(call, ended.ok)
  const { attempts } = served
  if (ended.ok) return { status: 'completed', value: ended.value, served, attempts }
  const { class: stated } = ended.surface
  return {
    status: 'completed',
    value: ended.error,
    ...(stated === undefined ? {} : { class: stated }),
    served,
    attempts,
  }
}

function unserved(call: Call, { error, surface, exhausted }: Unserved): Outcome<unknown, unknown> {
  const { reason, class: stated, retryAfterSecs } = surface
  return {
    status: reason === 'aborted' ? 'cancelled' : stated === 'auth_required' ? 'suspended' : 'failed',
    error,
    ...(stated === undefined ? {} : { class: stated }),
    ...(retryAfterSecs === undefined ? {} : { retry_after_secs: retryAfterSecs }),
    ...(exhausted ? { exhausted } : {}),
    attempts: call.records,
  }
}

/**
 * Who served a call.
 *
 * @param serves - The last attempt serves; otherwise its failure was passed on as it came and is written down already.
 */
export function servedBy(
  call: Call,
  serves: boolean,
  { records, waitedMs }: Pick<Call, 'records' | 'waitedMs'> = call,
): Served<unknown> {
  const { target } = call
  return {
    candidate: call.engine.parts.chain[target.position],
    ...(target.credential === undefined ? {} : { credential: target.credential }),
    attempts: serves ? [...records, recordOf(target, waitedMs)] : records,
  }
}
