import { importHeed } from '../harness/built-heed.mjs'
import { stepping } from '../harness/fresh-loop.mjs'
import { newError } from './new-error.mjs'

const options = {
  candidates: [
    { id: 'a/small', provider: 'a', contextWindow: 200_000 },
    { id: 'b/large', provider: 'b', contextWindow: 1_000_000 },
  ],
}

/** What each class asks for, and what must be decided: a first failure, at the first of two candidates. */
const kinds = {
  transient: { classification: { class: 'transient', retryAfterSecs: 2 }, decided: 'retry' },
  permanent: { classification: { class: 'permanent' }, decided: 'advance' },
  auth_required: { classification: { class: 'auth_required' }, decided: 'pause' },
  context_overflow: { classification: { class: 'context_overflow' }, decided: 'advance' },
  unknown: { classification: { class: 'quota_gone' }, decided: 'surface' },
}

const inputsOf = ({ NO_MARKS, startCall, observe }, policy, { classification }) =>
  Array.from({ length: 16 }, (_, index) => {
    const nowMs = 1_000 + index
    const state = startCall(policy)
    const occasion = { kind: 'failure', target: policy.targets[0], classification, generation: 0 }
    const marks = observe(policy, NO_MARKS, { kind: 'failure', failure: occasion, state, nowMs })
    return { occasion, state, marks, nowMs, random: index / 16 }
  })

export const row = {
  id: 'decide',
  title: '`decide` alone, first failure of two candidates, against one `new Error`',
  unit: 'ns/call',
  baselines: ['new Error'],
  against: 'new Error',
  target: 0.03,
  groups: Object.keys(kinds).map((kind) => [`heed, ${kind}`]),
  prepare: async (name) => {
    if (name === 'new Error') return stepping(newError, Array.from({ length: 16 }))
    const core = await importHeed()
    const kind = kinds[name.replace('heed, ', '')]
    const policy = core.policyOf(options)
    const inputs = inputsOf(core, policy, kind)
    const decideOne = (input) => core.decide(policy, input)
    for (const input of inputs) {
      const decided = decideOne(input).kind
      if (decided !== kind.decided) throw new Error(`${name} was decided as ${decided}`)
    }
    return stepping(decideOne, inputs)
  },
}
