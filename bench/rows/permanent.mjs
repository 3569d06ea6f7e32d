import { tryOther } from '../peers/by-hand.mjs'
import { answering, failure, failureFor, peerNamed, refusing, succeeding } from './answers.mjs'

export const row = {
  id: 'permanent',
  title: '`permanent`, then the next candidate',
  unit: 'ns/call',
  baselines: ['try/catch'],
  against: 'try/catch',
  target: 1.25,
  groups: [['heed'], ['ai-fallback', 'ai-retry'], ['cockatiel', 'opossum'], ['effect']],
  prepare: async (name) => {
    if (name === 'try/catch') return answering(tryOther(refusing(failure('permanent', 403)), succeeding()))
    const peer = await peerNamed(name)
    return answering(peer.fallback(refusing(failureFor(peer, 'permanent', 403)), succeeding()))
  },
}
