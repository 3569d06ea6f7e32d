import { hop } from '../peers/by-hand.mjs'
import { answering, peerNamed, succeeding } from './answers.mjs'

/**
 * A signal that outlives two collections is dearer to listen to in Node: each listener that comes or goes makes a new
 * table of listeners, and for an old signal that is made among the old objects. Both are measured.
 */
export const row = {
  id: 'success-signal',
  title: "the same with a caller's `abortSignal`",
  unit: 'ns/call',
  baselines: ['bare await', 'one async hop'],
  against: 'one async hop',
  target: 4,
  groups: [
    ['heed, a signal per request'],
    ['heed, one signal for good'],
    ['cockatiel', 'p-retry'],
    ['ai-retry', 'effect'],
  ],
  prepare: async (name) => {
    const fn = succeeding()
    if (name === 'bare await') return answering(fn)
    if (name === 'one async hop') return answering(hop(fn))
    if (name === 'heed, a signal per request') return answering((await peerNamed('heed')).successWithYoungSignal(fn))
    return answering(
      (await peerNamed(name.replace(', one signal for good', ''))).successWithSignal(fn, new AbortController().signal),
    )
  },
}
