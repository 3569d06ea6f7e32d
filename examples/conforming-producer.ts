/**
 * The other side: a service that states the class of its own errors, so that no consumer has to guess. It turns each
 * cause into the contract's two fields where it knows the cause, and a suite holds it to the contract.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ERROR_CLASS_WIRE_SET, type ErrorClass, heed } from 'heed'
import { wireConformance } from 'heed/conformance'
import { fetchWithClass } from 'heed/fetch'

/** What can go wrong in here, in the service's own words. */
type Cause =
  | { readonly kind: 'busy' | 'day_spent'; readonly untilMs: number }
  | { readonly kind: 'unpaid' | 'quota' | 'no_key' | 'no_such_language' | 'text_too_long' }

/** The producer's whole conformance: each cause has a status for HTTP, and a class for whoever has to act on it. */
const MEANING: Readonly<Record<Cause['kind'], readonly [status: number, ErrorClass]>> = {
  busy: [503, 'transient'],
  day_spent: [429, 'transient'],
  unpaid: [429, 'permanent'],
  quota: [429, 'transient'],
  no_key: [401, 'auth_required'],
  no_such_language: [404, 'permanent'],
  text_too_long: [413, 'context_overflow'],
}

/** The body of a refusal. A time of the service's own becomes seconds from now: the only unit that crosses the wire. */
function refusal(cause: Cause, nowMs: number): { status: number; body: string } {
  const [status, errorClass] = MEANING[cause.kind]
  const wait = 'untilMs' in cause ? { retry_after_secs: (cause.untilMs - nowMs) / 1_000 } : {}
  const error = { code: cause.kind, message: `Not now: ${cause.kind}`, class: errorClass, ...wait }
  return { status, body: JSON.stringify({ error }) }
}

// The service: the path says what goes wrong with a request. Busy is over at the third request.
const NOW_MS = 1_767_225_600_000
const asked = new Map<string, number>()
const server = createServer((request, response) => {
  const kind = (request.url ?? '/').slice(1) as Cause['kind']
  asked.set(kind, (asked.get(kind) ?? 0) + 1)
  if (kind === 'busy' && asked.get(kind) === 3) {
    response.end('Guten Morgen')
    return
  }
  const leftMs = kind === 'busy' ? 20 : 7_200_000
  const cause: Cause = kind === 'busy' || kind === 'day_spent' ? { kind, untilMs: NOW_MS + leftMs } : { kind }
  const { status, body } = refusal(cause, NOW_MS)
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)
})
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

// The suite looks at what the service really sends. Under a test runner: `test(name, run)`.
const sent = async (kind: Cause['kind']) => (await fetch(`${url}/${kind}`)).text()
const suite = wireConformance({
  wireSet: ERROR_CLASS_WIRE_SET,
  samples: [
    { name: 'busy', class: 'transient', retryAfterSecs: 0.02, emitted: await sent('busy') },
    { name: 'no such language', class: 'permanent', emitted: await sent('no_such_language') },
    { name: 'no key', class: 'auth_required', emitted: await sent('no_key') },
    { name: 'text too long', class: 'context_overflow', emitted: await sent('text_too_long') },
  ],
  quota: {
    billing: { emitted: await sent('unpaid') },
    window: { emitted: await sent('day_spent'), retryAfterSecs: 7_200 },
    unclear: { emitted: await sent('quota') },
  },
})
for (const { name, run } of suite) {
  run()
  console.log(`ok: ${name}`)
}
// => ok: pins the four wire strings, no more and no fewer
// => ok: writes no class outside the set
// => ok: states the class that each sample has
// => ok: spells the fields as the contract does
// => ok: gives retry_after_secs in seconds, beside the class
// => ok: keeps both fields through JSON
// => ok: maps each kind of quota as the contract does
// => ok: reads auth as auth_required
// => ok: reads a class outside the set as it came

// A producer that sends milliseconds is told so.
const wrong = { name: 'busy', class: 'transient', retryAfterSecs: 20 } as const
const emitted = { class: 'transient', retry_after_secs: 20_000 }
for (const { run } of wireConformance({
  wireSet: ERROR_CLASS_WIRE_SET,
  samples: [{ ...wrong, emitted }],
  quota: false,
})) {
  try {
    run()
  } catch (error) {
    console.log((error as Error).message)
  }
}
// => busy: retry_after_secs is 20000; these are milliseconds, give 20 s

// A consumer needs no adapter: the first candidate is dead for this call, the second asks for a wait and gets it.
const guard = heed({
  candidates: [
    { id: 'klingon', provider: 'here', path: '/no_such_language' },
    { id: 'german', provider: 'here', path: '/busy' },
  ],
  backoff: () => 0,
})
const fetchOrThrow = fetchWithClass()
const outcome = await guard.settle(async ({ candidate, abortSignal }) => {
  return (await fetchOrThrow(url + candidate.path, { signal: abortSignal })).text()
})
for (const { candidate, class: stated = 'served', waited_ms: waitedMs } of outcome.attempts) {
  console.log(`${candidate}: ${stated}${waitedMs >= 20 ? ', after the wait it asked for' : ''}`)
}
// => klingon: permanent
// => german: transient
// => german: served, after the wait it asked for

await new Promise((resolve) => server.close(resolve))
