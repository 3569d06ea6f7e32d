import { policyOf } from 'heed'
import {
  awsTokenBucket,
  grpcThrottle,
  heedClients,
  naiveRetry,
  noRetry,
  type Phase,
  retrying,
  type ServerScript,
  type SimulationOptions,
  simulate,
  successBudget,
} from 'heed/testing'
import { describe, expect, test } from 'vitest'

const NEVER = Number.POSITIVE_INFINITY
const server: ServerScript = { capacityPerSec: 100 }
const sound: SimulationOptions = {
  seed: 1,
  clients: 2,
  callsPerSec: 10,
  forMs: 1_000,
  servers: [server],
  behaviour: noRetry(),
}

/** Runs what no type would let through. */
const run = (options: unknown) => () => simulate(options as SimulationOptions)
const refusal = (text: string): TypeError => new TypeError(text)

const SETTINGS = 'seed, clients, callsPerSec, forMs, timeoutMs, servers, behaviour, arrivals or settled'
const SERVER = 'capacityPerSec, queueLimit, refusalMs or phases'
const PHASES = "'brown_out', 'outage', 'flaky', 'rate_window' or 'revoked_key'"

describe('simulate refuses', () => {
  test.each<readonly [unknown, string]>([
    [undefined, `the options: give an object with ${SETTINGS}`],
    [null, `the options: give an object with ${SETTINGS}`],
    [[sound], `the options: give an object with ${SETTINGS}`],
    [{}, 'seed: give a number'],
  ])('%j for options', (options, fault) => {
    expect(run(options)).toThrow(refusal(`simulate: ${fault}`))
  })

  test.each<readonly [Readonly<Record<string, unknown>>, string]>([
    [{ seed: Number.NaN }, 'seed: give a number'],
    [{ seed: '1' }, 'seed: give a number'],
    [{ clients: 0 }, 'clients: give a whole number of 1 or more'],
    [{ clients: 1.5 }, 'clients: give a whole number of 1 or more'],
    [{ callsPerSec: 0 }, 'callsPerSec: give a number above 0'],
    [{ callsPerSec: '80' }, 'callsPerSec: give a number above 0'],
    [{ forMs: NEVER }, 'forMs: give milliseconds above 0'],
    [{ timeoutMs: 0 }, 'timeoutMs: give milliseconds above 0, or Infinity for none'],
    [{ timeoutMs: null }, 'timeoutMs: give milliseconds above 0, or Infinity for none'],
    [{ arrivals: 'evenly' }, "arrivals: give 'poisson' or 'even'"],
    [{ settled: true }, 'settled: give a function'],
    [{ timeout: 5 }, `timeout is not an option; give ${SETTINGS}`],
    [{ servers: undefined }, 'servers: give a list of 1 to 31 servers'],
    [{ servers: [] }, 'servers: give a list of 1 to 31 servers'],
    [{ servers: new Array(32).fill(server) }, 'servers: give a list of 1 to 31 servers'],
    [{ servers: server }, 'servers: give a list of 1 to 31 servers'],
    ...[undefined, null, noRetry, { name: 'x' }, { start: () => undefined }].map(
      (behaviour) =>
        [
          { behaviour },
          'behaviour: give what heedClients(), retrying() or another of them makes, or an object with a name and a start function',
        ] as const,
    ),
  ])('%j', (odd, fault) => {
    expect(run({ ...sound, ...odd })).toThrow(refusal(`simulate: ${fault}`))
  })

  test.each<readonly [unknown, string]>([
    [null, `: give an object with ${SERVER}`],
    [{}, '.capacityPerSec: give requests per second, a number above 0'],
    [{ capacityPerSec: 0 }, '.capacityPerSec: give requests per second, a number above 0'],
    [{ ...server, queueLimit: Number.NaN }, '.queueLimit: give a whole number of 0 or more, or Infinity for no limit'],
    [{ ...server, queueLimit: -1 }, '.queueLimit: give a whole number of 0 or more, or Infinity for no limit'],
    [{ ...server, refusalMs: -5_000 }, '.refusalMs: give milliseconds of 0 or more'],
    [{ ...server, refusalMs: NEVER }, '.refusalMs: give milliseconds of 0 or more'],
    [{ ...server, phases: {} }, '.phases: give a list of phases'],
    [{ ...server, queuelimit: 1 }, `.queuelimit is not an option; give ${SERVER}`],
  ])('the server %j', (odd, fault) => {
    expect(run({ ...sound, servers: [server, odd] })).toThrow(refusal(`simulate: servers[1]${fault}`))
  })

  const during = { fromMs: 0, untilMs: 100 }
  const windowed = { kind: 'rate_window', ...during, windowMs: 10, requests: 1 }
  test.each<readonly [unknown, string]>([
    [null, ': give an object with kind, fromMs or untilMs'],
    [{ kind: 'outtage', ...during }, `.kind: give ${PHASES}`],
    [{ kind: 'toString', ...during }, `.kind: give ${PHASES}`],
    [{ kind: ['outage'], ...during }, `.kind: give ${PHASES}`],
    [{ ...during }, `.kind: give ${PHASES}`],
    [{ kind: 'outage', untilMs: 100 }, '.fromMs: give milliseconds; 0 is the start'],
    [{ kind: 'outage', fromMs: Number.NaN, untilMs: 100 }, '.fromMs: give milliseconds; 0 is the start'],
    [{ kind: 'outage', fromMs: 0, untilMs: Number.NaN }, '.untilMs: give milliseconds, or Infinity for no end'],
    [{ kind: 'outage', fromMs: 9, untilMs: 8 }, '.untilMs: give milliseconds from fromMs on: it ends before it begins'],
    [{ kind: 'outage', ...during, retryAfterSecs: '3' }, '.retryAfterSecs: give seconds of 0 or more'],
    [{ kind: 'outage', ...during, share: 1 }, '.share is not an option; give kind, fromMs, untilMs or retryAfterSecs'],
    [{ kind: 'flaky', ...during, share: '50%' }, '.share: give a share from 0 to 1'],
    [{ kind: 'flaky', ...during, share: 50 }, '.share: give a share from 0 to 1'],
    [{ kind: 'brown_out', ...during }, '.capacity: give a share from 0 to 1'],
    [
      { kind: 'brown_out', fromMs: 0, untilMs: NEVER, capacity: 0 },
      '.untilMs: give an end where capacity is 0: nothing would ever be served',
    ],
    [{ ...windowed, windowMs: 0 }, '.windowMs: give milliseconds above 0'],
    [{ ...windowed, requests: -1 }, '.requests: give a whole number of 0 or more, or Infinity for no limit'],
    [{ kind: 'revoked_key', ...during, credential: 1 }, '.credential: give a name that is not empty'],
  ])('the phase %j', (odd, fault) => {
    const servers = [{ ...server, phases: [windowed, odd] }]
    expect(run({ ...sound, servers })).toThrow(refusal(`simulate: servers[0].phases[1]${fault}`))
  })
})

test('what is absent may be said to be undefined, and every bound may be reached', () => {
  const phases = [
    { kind: 'outage', fromMs: -5, untilMs: -5, retryAfterSecs: undefined },
    { kind: 'brown_out', fromMs: 0, untilMs: 1e3, capacity: 0 },
    { kind: 'flaky', fromMs: 0, untilMs: NEVER, share: 0 },
    { kind: 'rate_window', fromMs: -30, untilMs: NEVER, windowMs: 60, requests: NEVER },
    { kind: 'revoked_key', fromMs: 0, untilMs: 0, credential: undefined },
  ] as readonly unknown[] as readonly Phase[]
  const servers = [{ capacityPerSec: NEVER, queueLimit: NEVER, refusalMs: 0, phases }]
  const result = run({ ...sound, servers, timeoutMs: NEVER, arrivals: undefined, settled: undefined })()
  expect(result.served).toBe(result.calls)
})

describe('behaviours refuse options that they cannot use', () => {
  const policy = policyOf({ candidates: [{ id: 'a', provider: 'a' }] })
  const COUNT = 'give a whole number of 0 or more, or Infinity for no limit'
  const SAVED = 'give a number of 0 or more, or Infinity for no limit'
  const BACKOFF = 'retries or backoff'

  test.each<readonly [(...given: never[]) => unknown, readonly unknown[], string]>([
    [heedClients, [], 'policy: give what policyOf() makes of options'],
    [heedClients, [{ candidates: [] }], 'policy: give what policyOf() makes of options'],
    [heedClients, [policy, null], 'the options: give an object with name or idempotent'],
    [heedClients, [policy, 'heed'], 'the options: give an object with name or idempotent'],
    [heedClients, [policy, { name: '' }], 'name: give a name that is not empty'],
    [heedClients, [policy, { idempotent: 'no' }], 'idempotent: give true or false'],
    [heedClients, [policy, { budget: false }], 'budget is not an option; give name or idempotent'],
    [retrying, [], 'the options: give an object with name, retries, backoff, throttle or repeats'],
    [retrying, [{ name: 'x' }], `retries: ${COUNT}`],
    [retrying, [{ retries: 1 }], 'name: give a name that is not empty'],
    [retrying, [{ name: 'x', retries: 1, throttle: {} }], 'throttle: give a function'],
    [retrying, [{ name: 'x', retries: 1, repeats: true }], 'repeats: give a function'],
    [naiveRetry, [{ retries: '3' }], `retries: ${COUNT}`],
    [naiveRetry, [{ backoff: 100 }], 'backoff: give a function'],
    [naiveRetry, [{ attempts: 3 }], `attempts is not an option; give ${BACKOFF}`],
    [grpcThrottle, [{ maxTokens: Number.NaN }], 'maxTokens: give a number of 0 or more'],
    [grpcThrottle, [{ tokenRatio: -1 }], 'tokenRatio: give a number of 0 or more'],
    [grpcThrottle, [{ tokens: 10 }], `tokens is not an option; give maxTokens, tokenRatio, ${BACKOFF}`],
    [awsTokenBucket, [{ tokens: -1 }], `tokens: ${SAVED}`],
    [awsTokenBucket, [{ cost: '14' }], 'cost: give a number of 0 or more'],
    [awsTokenBucket, [{ costs: 5 }], `costs is not an option; give tokens, cost, ${BACKOFF}`],
    [successBudget, [{ cap: Number.NaN }], `cap: ${SAVED}`],
    [successBudget, [{ retries: 0.5 }], `retries: ${COUNT}`],
    [successBudget, [{ ratio: 5 }], `ratio is not an option; give cap, start, deposit, ${BACKOFF}`],
  ])('%o, given %j', (make, given, fault) => {
    expect(() => make(...(given as never[]))).toThrow(refusal(`${make.name}: ${fault}`))
  })
})
