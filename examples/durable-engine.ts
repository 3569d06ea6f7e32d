/**
 * The decision without the loop, for an engine that suspends a run, writes it down and wakes it hours later, perhaps in
 * another process: `startCall`, `decide`, `advance` and `observe` are pure, over plain JSON values.
 */
import {
  advance,
  type CallState,
  type Decision,
  decide,
  type Failure,
  type Marks,
  NO_MARKS,
  type Occasion,
  observe,
  policyOf,
  readClassification,
  startCall,
  type Target,
} from 'heed'
import { surface } from 'heed/strategies/auth/surface'

// Configuration, made anew in each process; what is written down refers to it by position.
const policy = policyOf({
  candidates: [
    { id: 'acme/large', provider: 'acme' },
    { id: 'acme/small', provider: 'acme' },
  ],
  // An engine can wait for as long as it takes, as a guard in process should not.
  maxWaitMs: Number.POSITIVE_INFINITY,
  // The engine suspends the run itself until a human has signed in.
  auth: surface,
  budget: false,
})

/** The whole run: what the engine keeps in its database. */
type Run = { readonly state: CallState; readonly marks: Marks }

/** One step. The times are the engine's: a wall clock does, where all processes agree on it. */
function step(written: string, occasion: Occasion, nowMs: number): { written: string; decision: Decision } {
  const { state, marks: before } = JSON.parse(written) as Run
  // The marks come first: a decision reads what its own failure has just taught.
  const marks =
    occasion.kind === 'failure' ? observe(policy, before, { kind: 'failure', failure: occasion, state, nowMs }) : before
  const decision = decide(policy, { occasion, state, marks, nowMs, random: 0 })
  const next: Run = { state: advance(policy, state, occasion, decision), marks }
  return { written: JSON.stringify(next), decision }
}

const failed = (target: Target, error: unknown): Failure => ({
  kind: 'failure',
  target,
  classification: readClassification(error),
  generation: 0,
})
const show = ({ decision }: { decision: Decision }): void => {
  const where = 'target' in decision ? ` ${decision.target.candidate}` : ''
  const wait = 'delayMs' in decision && decision.delayMs > 0 ? `, in ${decision.delayMs / 1_000} s` : ''
  console.log(`${decision.kind} ${decision.reason}${where}${wait}`)
}

const [large, small] = policy.targets as [Target, Target]
let run = step(JSON.stringify({ state: startCall(policy), marks: NO_MARKS }), { kind: 'start' }, 0)
show(run)
// => advance start acme/large

run = step(run.written, failed(large, { class: 'transient', retry_after_secs: 3_600 }), 1_000)
show(run)
// => advance switch_after acme/small

run = step(run.written, failed(small, { error: { class: 'permanent', message: 'no such model' } }), 2_000)
show(run)
// => advance permanent acme/large, in 3599 s

// Nothing is in memory now. An hour later another process wakes the run.
run = step(run.written, { kind: 'wake' }, 3_602_000)
show(run)
// => advance resumed acme/large

run = step(run.written, failed(large, { class: 'auth_required' }), 3_603_000)
show(run)
// => surface auth_required
console.log((JSON.parse(run.written) as Run).state.attempts)
// => 3
