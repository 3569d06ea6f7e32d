/**
 * One run through the built package, for runtimes that cannot run the test suite: a repeat, a fallback, a stream, a
 * settled failure. Uses nothing that Bun, Deno and workerd do not all have.
 */
import { heed } from 'heed'

const candidates = [
  { id: 'first/model', provider: 'first' },
  { id: 'second/model', provider: 'second' },
]

const failure = (errorClass) => Object.assign(new Error(`said ${errorClass}`), { class: errorClass })

const check = (what, actual, expected) => {
  const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (got !== wanted) throw new Error(`${what}: got ${got}, expected ${wanted}`)
}

/** Throws when anything is not as it must be. */
export async function smoke() {
  const guard = heed({ candidates, backoff: () => 1 })

  const asked = []
  const answer = await guard.execute(async ({ candidate, number }) => {
    asked.push(candidate.id)
    if (number === 1) throw failure('transient')
    if (number === 2) throw failure('permanent')
    return `served by ${candidate.id}`
  })
  check('execute', answer, 'served by second/model')
  check('attempts', asked, ['first/model', 'first/model', 'second/model'])

  const items = []
  const stream = guard.stream(async function* ({ number }) {
    if (number === 1) throw failure('permanent')
    yield 'a'
    yield 'b'
  })
  for await (const item of stream) items.push(item)
  check('stream', items, ['a', 'b'])

  const outcome = await guard.settle(async () => {
    throw failure('permanent')
  })
  check('settle', [outcome.status, outcome.attempts.length], ['failed', 2])
}
