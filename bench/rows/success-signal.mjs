import { hop } from '../peers/by-hand.mjs'
import { answering, peerNamed, succeeding } from './answers.mjs'

export const row = {
  id: 'success-signal',
  title: "the same with a caller's `abortSignal`",
  unit: 'ns/call',
  baselines: ['bare await', 'one async hop'],
  against: 'one async hop',
  target: 4,
  groups: [['heed'], ['cockatiel', 'p-retry'], ['ai-retry', 'effect']],
  prepare: async (name) => {
    const fn = succeeding()
    if (name === 'bare await') return answering(fn)
    if (name === 'one async hop') return answering(hop(fn))
    return answering((await peerNamed(name)).successWithSignal(fn, new AbortController().signal))
  },
}
