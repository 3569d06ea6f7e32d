import type { Candidate } from '../core/candidate.ts'
import type { CallOptions, Outcome, Served } from '../options.ts'
import { Call } from './call.ts'
import type { Ended, Unserved } from './end.ts'
import type { Engine } from './engine.ts'
import { linkAbort, unlinkAbort } from './link-abort.ts'
import { recordOf } from './record.ts'
import { type AttemptFailure, judge, runUnary, startUnary } from './run-attempt.ts'
import { resume, runCall } from './run-call.ts'
import { succeed } from './succeed.ts'

type Fn = (attempt: never) => unknown
type Options = CallOptions<Candidate, unknown>

/**
 * Runs a unary call to its value, or throws. Where nothing stands against the first target its attempt is made here,
 * without the loop: a call that succeeds makes no timer, no controller and no call state.
 */
export function execute(engine: Engine, fn: Fn, options: Options): Promise<unknown> {
  let call: Call
  try {
    call = new Call(engine, fn, options, false)
  } catch (error) {
    return Promise.reject(error)
  }
  const { signal } = call
  if (signal?.aborted === true || !engine.isClear(options.inputTokens)) {
    return runCall(call, startUnary).then((ended) => deliver(call, ended))
  }
  if (signal !== undefined || call.cutsAttempts) return executeLinked(call, signal)
  const handle = call.beginFirst()
  let answer: Promise<unknown>
  try {
    answer = Promise.resolve(fn(handle as never))
  } catch (error) {
    return recover(call, { ok: false, error })
  }
  return answer.then(
    (value) => {
      if (call.producer?.inspect !== undefined) {
        const outcome = judge(call, value)
        if (!outcome.ok) return recover(call, outcome)
      }
      succeed(call)
      return value
    },
    (error: unknown) => recover(call, { ok: false, error }),
  )
}

/** The same where the caller's signal or a timeout may cut the attempt. */
function executeLinked(call: Call, signal: AbortSignal | undefined): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (signal !== undefined) linkAbort(signal, call)
    call.beginFirst()
    runUnary(call, (outcome) => {
      if (!outcome.ok) {
        resume(call, startUnary, outcome)
          .then((ended) => {
            if (signal !== undefined) unlinkAbort(signal, call)
            return deliver(call, ended)
          })
          .then(resolve, reject)
        return
      }
      if (signal !== undefined) unlinkAbort(signal, call)
      succeed(call)
      resolve(outcome.value)
    })
  })
}

function recover(call: Call, failed: AttemptFailure): Promise<unknown> {
  return resume(call, startUnary, failed).then((ended) => deliver(call, ended))
}

/** Failure is a value until here: this is where it is thrown. */
function deliver(call: Call, ended: Ended<unknown>): unknown {
  if (ended.ok) {
    succeed(call)
    return ended.value
  }
  if (ended.answer) return ended.error
  throw ended.error
}

/** Runs a unary call to an outcome. Never throws. */
export async function settle(engine: Engine, fn: Fn, options: Options): Promise<Outcome<unknown, unknown>> {
  let call: Call
  try {
    call = new Call(engine, fn, options, false)
  } catch (error) {
    return { status: 'failed', error, attempts: [] }
  }
  const ended = await runCall(call, startUnary)
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
