import {
  type Attempt,
  type AttemptRecord,
  createHealth,
  type Guard,
  type Health,
  type HeedStream,
  heed,
  type Outcome,
  readClassification,
  type Served,
  unwrap,
} from 'heed'
import { describe, expectTypeOf, test } from 'vitest'

class Client {
  ask(question: string): Promise<string> {
    return Promise.resolve(question)
  }
}

const OWN = { id: 'a', provider: 'p', contextWindow: 200_000, client: new Client(), price: 3 }
const guard = heed({ candidates: [OWN] })
const keyed = heed({
  candidates: [
    {
      id: 'a',
      provider: 'p',
      credentials: [
        { id: 'k', token: 'x' },
        { id: 'l', token: 'y' },
      ],
    },
  ],
})
const named = heed({ candidates: [{ id: 'a', provider: 'p', credentials: ['k1', 'k2'] }] })

describe('the candidate', () => {
  test("keeps the user's own fields in the attempt", () => {
    guard.execute((attempt) => {
      expectTypeOf(attempt.candidate).toEqualTypeOf(OWN)
      expectTypeOf(attempt.candidate.client).toEqualTypeOf<Client>()
      expectTypeOf(attempt.candidate.price).toEqualTypeOf<number>()
      // @ts-expect-error no such field
      attempt.candidate.cost
    })
  })

  test('keeps them in who served', async () => {
    const outcome = await guard.settle(() => 'x')
    if (outcome.status === 'completed') expectTypeOf(outcome.served.candidate.client).toEqualTypeOf<Client>()
    expectTypeOf(
      guard.stream(async function* () {
        yield 1
      }).opened,
    ).toEqualTypeOf<Promise<Served<typeof OWN>>>()
  })

  test('of a mixed chain is the union, told apart by its fields', () => {
    const mixed = heed({
      candidates: [
        { id: 'a', provider: 'p', kind: 'http' as const, url: 'x' },
        { id: 'b', provider: 'q', kind: 'local' as const, path: 'y' },
      ],
    })
    mixed.execute(({ candidate }) => {
      if (candidate.kind === 'http') expectTypeOf(candidate.url).toBeString()
      else expectTypeOf(candidate.path).toBeString()
    })
  })

  test('may be constant, frozen and listed as const', () => {
    const constant = heed({
      candidates: [
        { id: 'a', provider: 'p' },
        { id: 'b', provider: 'q' },
      ] as const,
    })
    constant.execute(({ candidate }) => expectTypeOf(candidate.id).toEqualTypeOf<'a' | 'b'>())
  })
})

describe('the credential', () => {
  test('is what was listed', () => {
    keyed.execute(({ credential }) =>
      expectTypeOf(credential).toEqualTypeOf<{ id: string; token: string } | undefined>(),
    )
    named.execute(({ credential }) => expectTypeOf(credential).toEqualTypeOf<string | undefined>())
    guard.execute(({ credential }) => expectTypeOf(credential).toEqualTypeOf<undefined>())
  })

  test('is an id where it is reported', async () => {
    const outcome = await keyed.settle(() => 1)
    if (outcome.status === 'completed') expectTypeOf(outcome.served.credential).toEqualTypeOf<string | undefined>()
  })
})

describe('the value', () => {
  test('is awaited', () => {
    expectTypeOf(guard.execute(() => 5)).toEqualTypeOf<Promise<number>>()
    expectTypeOf(guard.execute(async () => 5)).toEqualTypeOf<Promise<number>>()
    expectTypeOf(guard.execute(() => Promise.resolve(Promise.resolve('x')))).toEqualTypeOf<Promise<string>>()
    expectTypeOf(guard.execute(({ candidate }) => candidate.client.ask('x'))).toEqualTypeOf<Promise<string>>()
    expectTypeOf(guard.settle(async () => 5)).resolves.toExtend<Outcome<number, typeof OWN>>()
  })
})

describe('the input', () => {
  test('is the one given to the call', () => {
    guard.execute(({ input }) => expectTypeOf(input).toEqualTypeOf<string>(), { input: 'x' })
    guard.execute(({ input }) => expectTypeOf(input).toEqualTypeOf<undefined>())
    guard.execute(({ input }) => input.length, {
      input: ['x'],
      reduce: (input, { candidate, attempt, classification }) => {
        expectTypeOf(input).toEqualTypeOf<string[]>()
        expectTypeOf(candidate).toEqualTypeOf(OWN)
        expectTypeOf(attempt).toBeNumber()
        expectTypeOf(classification.class).toEqualTypeOf<string | undefined>()
        return input.slice(1)
      },
    })
    // @ts-expect-error a reduction makes the same type of input
    guard.execute(() => 1, { input: 'x', reduce: () => 5 })
  })
})

describe('the attempt', () => {
  test('is read-only', () => {
    guard.execute((attempt) => {
      expectTypeOf(attempt).toEqualTypeOf<Attempt<typeof OWN, undefined>>()
      // @ts-expect-error read-only
      attempt.number = 2
      // @ts-expect-error read-only
      attempt.candidate = OWN
      expectTypeOf(attempt.abortSignal).toEqualTypeOf<AbortSignal>()
      expectTypeOf(attempt.commit).toEqualTypeOf<() => void>()
    })
  })
})

describe('a stream', () => {
  test('has the items of its source, of whatever kind', async () => {
    const generated = guard.stream(async function* () {
      yield { text: 'x' }
    })
    expectTypeOf(generated).toEqualTypeOf<HeedStream<{ text: string }, typeof OWN>>()
    expectTypeOf(guard.stream(() => new ReadableStream<Uint8Array>())).toEqualTypeOf<
      HeedStream<Uint8Array, typeof OWN>
    >()
    expectTypeOf(guard.stream(async () => new ReadableStream<number>())).toEqualTypeOf<HeedStream<number, typeof OWN>>()
    for await (const item of generated) expectTypeOf(item).toEqualTypeOf<{ text: string }>()
    expectTypeOf(generated.toReadableStream()).toEqualTypeOf<ReadableStream<{ text: string }>>()
  })

  test('asks isContent and isEnd about its own items', () => {
    guard.stream(
      async function* () {
        yield { kind: 'start' as const }
      },
      {
        isContent: (item) => {
          expectTypeOf(item.kind).toEqualTypeOf<'start'>()
          return true
        },
        isEnd: (item) => item.kind === 'start',
      },
    )
  })

  test('is made by nothing but a stream', () => {
    // @ts-expect-error a value is no stream
    guard.stream(() => 5)
    // @ts-expect-error nor is an array
    guard.stream(() => ['x'])
    // @ts-expect-error nor a promise of a value
    guard.stream(async () => 'x')
  })
})

describe('an outcome', () => {
  test('is narrowed by its status', () => {
    const outcome = {} as Outcome<number, typeof OWN>
    expectTypeOf(outcome.status).toEqualTypeOf<'completed' | 'failed' | 'cancelled' | 'suspended'>()
    expectTypeOf(outcome.attempts).toEqualTypeOf<readonly AttemptRecord[]>()
    switch (outcome.status) {
      case 'completed':
        expectTypeOf(outcome.value).toBeNumber()
        expectTypeOf(outcome.served).toEqualTypeOf<Served<typeof OWN>>()
        // @ts-expect-error a completed call has no error
        outcome.error
        break
      case 'failed':
      case 'cancelled':
      case 'suspended':
        expectTypeOf(outcome.error).toBeUnknown()
        expectTypeOf(outcome.class).toEqualTypeOf<string | undefined>()
        expectTypeOf(outcome.retry_after_secs).toEqualTypeOf<number | undefined>()
        // @ts-expect-error no value
        outcome.value
        break
    }
  })

  test('is unwrapped to its value', () => {
    expectTypeOf(unwrap({} as Outcome<number, typeof OWN>)).toBeNumber()
  })
})

describe('health events', () => {
  test('have a payload each', () => {
    const health = createHealth()
    expectTypeOf(health).toEqualTypeOf<Health>()
    health.on('retry', (event) => {
      expectTypeOf(event.delayMs).toBeNumber()
      expectTypeOf(event.callId).toBeString()
      expectTypeOf(event.reason).toExtend<string>()
      // @ts-expect-error read-only
      event.delayMs = 5
      // @ts-expect-error of another event
      event.delivered
    })
    health.on('success', (event) => expectTypeOf(event.delivered).toEqualTypeOf<number | undefined>())
    health.on('auth_prompt', (event) => {
      expectTypeOf(event.refused).toEqualTypeOf<readonly string[]>()
      expectTypeOf(event.blocking).toBeBoolean()
    })
    health.on('chain_dead', (event) => expectTypeOf(event.candidates).toEqualTypeOf<readonly string[]>())
    health.on('passthrough', (event) => expectTypeOf(event.reason).toEqualTypeOf<'unknown_class' | 'unclassified'>())
    health.once('cooling', (event) => expectTypeOf(event.source).toEqualTypeOf<'hint' | 'breaker'>())
    expectTypeOf(health.on('success', () => undefined)).toEqualTypeOf<() => void>()
    // @ts-expect-error no such event
    health.on('sucess', () => undefined)
  })
})

describe('wrap', () => {
  test('takes the arguments behind the attempt', () => {
    const ask = guard.wrap(({ candidate }, question: string, limit: number) => `${candidate.price}${question}${limit}`)
    expectTypeOf(ask).toEqualTypeOf<(question: string, limit: number) => Promise<string>>()
    // @ts-expect-error an argument is missing
    ask('x')
    // @ts-expect-error of another type
    ask('x', 'y')
    expectTypeOf(guard.wrap(async () => 5)).toEqualTypeOf<() => Promise<number>>()
  })

  test('makes its options from the same arguments', () => {
    guard.wrap(
      (_attempt, question: string, limit: number) => `${question}${limit}`,
      (question, limit) => {
        expectTypeOf(question).toBeString()
        expectTypeOf(limit).toBeNumber()
        return { timeoutMs: limit }
      },
    )
  })

  test('has the input that its options make', () => {
    guard.wrap(
      ({ input }, question: string) => {
        expectTypeOf(input).toEqualTypeOf<{ text: string }>()
        return question
      },
      (question: string) => ({ input: { text: question } }),
    )
  })
})

describe('options', () => {
  test('of a guard that must not compile', () => {
    // @ts-expect-error no candidates
    heed({})
    // @ts-expect-error a candidate without a provider
    heed({ candidates: [{ id: 'a' }] })
    // @ts-expect-error an unknown name
    heed({ candidates: [OWN], retries: 3 })
    // @ts-expect-error an unknown name within
    heed({ candidates: [OWN], attempts: { max: 3 } })
    // @ts-expect-error another word
    heed({ candidates: [OWN], retryAfter: { onTooLong: 'wait' } })
    // @ts-expect-error true is not a budget
    heed({ candidates: [OWN], budget: true })
    // @ts-expect-error a strategy's name is not a strategy
    heed({ candidates: [OWN], auth: 'pause' })
    // @ts-expect-error a strategy that answers something else
    heed({ candidates: [OWN], auth: () => 'later' })
    // @ts-expect-error seconds in words
    heed({ candidates: [OWN], timeoutMs: '5s' })
    // @ts-expect-error a health of mine
    heed({ candidates: [OWN], health: {} })
    // @ts-expect-error a credential without an id
    heed({ candidates: [{ id: 'a', provider: 'p', credentials: [{ key: 'x' }] }] })
  })

  test('of a call that must not compile', () => {
    // @ts-expect-error another name for the signal
    guard.execute(() => 1, { signal: new AbortController().signal })
    // @ts-expect-error a stream's option
    guard.execute(() => 1, { allowEmpty: true })
    // @ts-expect-error seconds in words
    guard.execute(() => 1, { timeoutMs: '5s' })
    // @ts-expect-error nothing to call
    guard.execute()
  })
})

test('a guard is what heed makes', () => {
  expectTypeOf(guard).toEqualTypeOf<Guard<typeof OWN>>()
})

test('a class that is read is an open string', () => {
  expectTypeOf(readClassification(new Error('x')).class).toEqualTypeOf<string | undefined>()
})
