/**
 * A request that may have been executed is not sent again, to anybody, unless you say that twice does no harm. Then hand
 * `idempotencyKey` on, so that the producer can tell a repeat.
 */
import { heed, isHeedError, type Producer } from 'heed'
import { constant } from 'heed/strategies/backoff/constant'

// Your adapter knows which losses leave it open whether the request was executed.
const producer: Producer = {
  classify: (raw) =>
    raw instanceof Error && 'code' in raw && raw.code === 'ECONNRESET'
      ? { class: undefined, ambiguous: true }
      : undefined,
}
const guard = heed({
  candidates: [
    { id: 'bank', provider: 'bank' },
    { id: 'other-bank', provider: 'other' },
  ],
  producer,
  backoff: constant(1),
})

const keys = new Set<string>()
let asked = 0
function pay({ idempotencyKey }: { idempotencyKey: string }): string {
  asked += 1
  keys.add(idempotencyKey)
  if (asked % 2 === 0) return 'paid'
  throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
}

const lost = await guard.settle(pay)
console.log(lost.status, lost.status === 'completed' ? '' : String(lost.error), asked)
// => failed Error: read ECONNRESET 1

asked = 0
keys.clear()
const repeated = await guard.settle(pay, { idempotent: true })
console.log(repeated.status, `${asked} requests`, `${keys.size} key`)
// => completed 2 requests 1 key

// heed's own timeout leaves it open too: nobody knows what the server did with a request that was cut.
const hasty = heed({ candidates: [{ id: 'slow', provider: 'slow' }], attemptTimeoutMs: 10 })
const cut = await hasty.execute(() => new Promise(() => {})).catch((thrown: unknown) => thrown)
if (isHeedError(cut)) console.log(cut.reason, cut.class, cut.attempts.length)
// => attempt_timeout undefined 1
