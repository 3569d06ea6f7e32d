// What repeats exactly: bytes that one call allocates, and the timers, controllers and listeners that it makes.
import { bytesPerCall } from '../harness/allocation.mjs'
import { awaiting } from '../harness/fresh-loop.mjs'
import { watchGlobals } from '../harness/made-globals.mjs'

const { made, reset } = watchGlobals()
// After the watch: a library may keep a global that it reads when it is imported.
const heed = await import('../peers/heed.mjs')
const { hop } = await import('../peers/by-hand.mjs')
const { failingOnce, failure, refusing, succeeding } = await import('../rows/answers.mjs')

const cases = {
  'one async hop': hop(succeeding()),
  success: heed.success(succeeding()),
  'success, abortSignal': heed.successWithSignal(succeeding(), new AbortController().signal),
  'success, one listener': heed.successWithListener(succeeding(), () => {}),
  'fail once, no wait': heed.failOnce(failingOnce(failure('transient', 503))),
  'permanent, next candidate': heed.fallback(refusing(failure('permanent', 403)), succeeding()),
}

const CALLS = 1_000

const results = {}
for (const [name, call] of Object.entries(cases)) {
  const batch = awaiting(call)
  const bytes = await bytesPerCall(batch)
  reset()
  for (let index = 0; index < CALLS; index++) await call()
  results[name] = { ...made, bytes }
}

// The watch itself must see what it is there to see.
reset()
clearTimeout(setTimeout(() => {}, 0))
new AbortController().signal.addEventListener('abort', () => {})
if (made.timers !== 1 || made.controllers !== 1 || made.listeners !== 1) throw new Error('the watch saw nothing')

console.log(JSON.stringify(results))
