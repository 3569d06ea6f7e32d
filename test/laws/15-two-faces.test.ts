import { format, inspect } from 'node:util'
import fc from 'fast-check'
import { type Candidate, heed, isHeedError, type Producer } from 'heed'
import { fakeClock } from 'heed/testing'
import { expect } from 'vitest'
import { EVENT_NAMES } from './hostile-listeners.ts'
import { type Carried, CREDENTIAL_IDS, carried, laden, leaksIn, SECRETS } from './secret-carriers.ts'
import { chain, guardOptions } from './support/arbitraries.ts'
import { law } from './support/law.ts'

type Adapted = { readonly adapted?: Carried['said'] } | undefined

/** An adapter that reads what the wire does not say, and adds detail of its own. */
const producer: Producer = {
  classify: (raw) => {
    const said = (raw as Adapted)?.adapted
    return said === undefined ? undefined : { ...said, detail: SECRETS.adapter }
  },
  inspect: (value) => {
    const said = (value as Adapted)?.adapted
    return said === undefined ? undefined : { ...said, detail: SECRETS.answer }
  },
}

const given = fc.record({
  chain: chain.map((candidates) => candidates.map(withSecrets)),
  options: guardOptions,
  via: fc.constantFrom('execute' as const, 'settle' as const, 'stream' as const),
  script: fc.array(carried, { minLength: 1, maxLength: 6 }),
  reduces: fc.constantFrom('throws' as const, 'nothing' as const),
})

function withSecrets(candidate: Candidate): Candidate & { readonly apiKey: string } {
  const [first, second] = CREDENTIAL_IDS
  return {
    ...candidate,
    ...(candidate.credentials === undefined
      ? {}
      : { credentials: [first, Object.assign({ id: second }, { secret: SECRETS.credentialObject })] }),
    apiKey: SECRETS.candidateField,
  }
}

/** Everything that prints, logs or sends an error. */
function faces(error: unknown): readonly string[] {
  return [
    JSON.stringify(error),
    JSON.stringify({ wrapped: error }),
    String(error),
    `${(error as Error).stack}`,
    inspect(error),
    inspect(error, { depth: 10, showHidden: true }),
    inspect({ wrapped: [error] }, { depth: 10 }),
    format('%s %o %O %j', error, error, error, error),
  ]
}

law("15 Two faces: a serialized error holds no producer's message, detail, credential, cause or stack", {
  given,
  holds: async ({ chain: candidates, options, via, script, reduces }, see) => {
    const clock = fakeClock()
    const guard = heed<Candidate>({ ...options, candidates, producer, clock, random: () => 0 })
    const told: string[] = []
    for (const name of EVENT_NAMES) {
      guard.health.on(name, (event) => {
        told.push(JSON.stringify(event), inspect(event, { depth: 10 }))
      })
    }
    let turn = 0
    const next = (): Carried => script[Math.min(turn++, script.length - 1)] as Carried
    const call = {
      input: SECRETS.input,
      reduce: (): undefined => {
        if (reduces === 'throws') throw new Error(SECRETS.reduce)
        return undefined
      },
    }
    const unary = async (): Promise<unknown> => {
      const carrier = next()
      if (carrier.shape === 'answered') return laden(carrier)
      throw laden(carrier)
    }
    const streamed = async function* (): AsyncGenerator<unknown> {
      const carrier = next()
      if (carrier.afterContent) yield 'content'
      if (carrier.shape === 'answered') yield laden(carrier)
      else throw laden(carrier)
    }
    const ended = async (): Promise<unknown> => {
      if (via === 'execute') return guard.execute(unary, call)
      if (via === 'stream') {
        const taken: unknown[] = []
        for await (const item of guard.stream(streamed, call)) taken.push(item)
        return taken
      }
      const outcome = await guard.settle(unary, call)
      if (outcome.status === 'completed') return outcome.value
      if (isHeedError(outcome.error)) expect(leaksIn(JSON.stringify(outcome))).toEqual([])
      throw outcome.error
    }
    const error = await clock.run(
      ended().then(
        () => undefined,
        (thrown: unknown) => thrown,
      ),
    )

    // What is passed through as it came is the caller's own.
    if (isHeedError(error)) {
      see(`${via}: ${error.reason}`)
      see(via)
      for (const carrier of script) see(carrier.shape)
      if (error.cause !== undefined) see('a cause')
      for (const face of faces(error)) {
        expect(leaksIn(face)).toEqual([])
        expect(CREDENTIAL_IDS.filter((id) => face.includes(id))).toEqual([])
      }
      expect(JSON.stringify(error)).not.toContain(' at ')
      if (error.attempts.some((attempt) => attempt.credential !== undefined)) see('a credential')
    }
    for (const event of told) expect(leaksIn(event)).toEqual([])
  },
  mustSee: [
    ...['execute', 'settle', 'stream', 'error', 'object', 'nested', 'in the adapter', 'answered', 'unreadable hint'],
    ...['a cause', 'a credential', 'settle: all_permanent', 'settle: context_overflow', 'settle: auth_required'],
  ],
})
