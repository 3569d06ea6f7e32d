import { hop, retryLoop } from '../peers/by-hand.mjs'
import { answering, peerNamed, succeeding } from './answers.mjs'

export const row = {
  id: 'success',
  title: '`execute`, success, nobody listening',
  unit: 'ns/call',
  baselines: ['bare await', 'one async hop'],
  against: 'one async hop',
  target: 1.25,
  groups: [
    ['heed'],
    ['ai-fallback', 'retry loop by hand'],
    ['cockatiel', 'opossum'],
    ['async-retry', 'exponential-backoff'],
    ['p-retry', 'ai-retry'],
    ['effect'],
  ],
  prepare: async (name) => {
    const fn = succeeding()
    if (name === 'bare await') return answering(fn)
    if (name === 'one async hop') return answering(hop(fn))
    if (name === 'retry loop by hand') return answering(retryLoop(fn))
    return answering((await peerNamed(name)).success(fn))
  },
}
