import { hop } from '../peers/by-hand.mjs'
import { answering, peerNamed, succeeding } from './answers.mjs'

let seen = 0
const listener = () => {
  seen++
}

export const row = {
  id: 'success-listener',
  title: 'the same with one listener on `success`',
  unit: 'ns/call',
  baselines: ['bare await', 'one async hop'],
  against: 'one async hop',
  target: 2.2,
  groups: [['heed'], ['cockatiel', 'opossum'], ['ai-retry']],
  prepare: async (name) => {
    const fn = succeeding()
    if (name === 'bare await') return answering(fn)
    if (name === 'one async hop') return answering(hop(fn))
    const before = seen
    const loop = await answering((await peerNamed(name)).successWithListener(fn, listener))
    if (seen === before) throw new Error(`the listener of ${name} was not called`)
    return loop
  },
}
