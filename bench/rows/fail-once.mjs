import { retryLoop, tryCatch } from '../peers/by-hand.mjs'
import { AT_ONCE, answering, answeringAtOnce, failingOnce, failure, failureFor, peerNamed } from './answers.mjs'

const atOnce = 'try/catch, 2,000 at once'

/** A peer that cannot repeat without a timer is measured 2,000 calls at once, against the same by hand. */
const timers = ['cockatiel (timer)', 'async-retry (timer)', 'exponential-backoff (timer)']

export const row = {
  id: 'fail-once',
  title: 'fail once, no wait, then succeed',
  unit: 'ns/call',
  baselines: ['try/catch', atOnce],
  against: 'try/catch',
  againstOf: Object.fromEntries(timers.map((name) => [name, atOnce])),
  target: 1.25,
  groups: [['heed'], ['retry loop by hand', 'p-retry'], timers.slice(0, 2), timers.slice(2), ['ai-retry', 'effect']],
  prepare: async (name) => {
    const transient = failure('transient', 503)
    if (name === 'try/catch') return answering(tryCatch(failingOnce(transient)))
    if (name === atOnce) return answeringAtOnce(tryCatch(failingOnce(transient, AT_ONCE)))
    if (name === 'retry loop by hand') return answering(retryLoop(failingOnce(transient)))
    const peer = await peerNamed(name.replace(' (timer)', ''))
    const error = failureFor(peer, 'transient', 503)
    if (peer.needsTimer) return answeringAtOnce(peer.failOnce(failingOnce(error, AT_ONCE)))
    return answering(peer.failOnce(failingOnce(error)))
  },
}
