import * as z from 'zod/mini'
import type { Candidate } from './core/candidate.ts'
import { type Target, targetsOf } from './core/candidate.ts'
import type { Budget, Limits } from './core/policy.ts'
import type { BudgetOptions, HeedOptions } from './options.ts'

const name = z.string('give a name').check(z.minLength(1, 'give a name that is not empty'))
const ms = z
  .union([z.number(), z.literal(Number.POSITIVE_INFINITY)], 'give milliseconds, or Infinity for no limit')
  .check(z.gte(0, 'give milliseconds of 0 or more'))
const whole = z.union([z.int(), z.literal(Number.POSITIVE_INFINITY)], 'give a whole number, or Infinity for no limit')
const limit = whole.check(z.gte(1, 'give 1 or more; the first attempt counts'))
const count = z
  .union([z.number(), z.literal(Number.POSITIVE_INFINITY)], 'give a number, or Infinity for no limit')
  .check(z.gte(0, 'give 0 or more'))
const fn = z.custom<unknown>((value) => typeof value === 'function', 'give a function')
const flag = z.boolean('give true or false')
const producer = z.custom<unknown>(
  (value) => typeof (value as { classify?: unknown } | null)?.classify === 'function',
  'give a producer: an object with a classify function',
)

const candidate = z.looseObject(
  {
    id: name,
    provider: name,
    contextWindow: z.optional(z.number('give tokens').check(z.gt(0, 'give tokens, more than 0'))),
    credentials: z.optional(
      z.array(z.union([name, z.looseObject({ id: name })], 'give an id, or an object with an id'), 'give a list'),
    ),
    producer: z.optional(producer),
  },
  'give an object with an id and a provider',
)

const options = z.strictObject(
  {
    candidates: z.array(candidate, 'give a list of candidates').check(z.minLength(1, 'give at least one candidate')),
    producer: z.optional(producer),
    backoff: z.optional(fn),
    auth: z.optional(fn),
    overflow: z.optional(fn),
    unknown: z.optional(fn),
    unclassified: z.optional(fn),
    breaker: z.optional(z.object({ coolMs: ms, counter: fn }, 'give coolMs and counter, as the breaker strategies do')),
    attempts: z.optional(
      z.strictObject(
        {
          perTarget: z.optional(limit),
          total: z.optional(limit),
          reduce: z.optional(whole.check(z.gte(0, 'give 0 or more'))),
        },
        'give an object with perTarget, total and reduce',
      ),
    ),
    retryAfter: z.optional(
      z.strictObject(
        {
          onTooLong: z.optional(z.enum(['advance', 'cap'], "give 'advance' or 'cap'")),
          clampDown: z.optional(flag),
        },
        'give an object with onTooLong and clampDown',
      ),
    ),
    switchAfterMs: z.optional(ms),
    maxWaitMs: z.optional(ms),
    maxPauseMs: z.optional(ms),
    timeoutMs: z.optional(ms),
    attemptTimeoutMs: z.optional(ms),
    idleTimeoutMs: z.optional(ms),
    idempotent: z.optional(flag),
    budget: z.optional(
      z.union(
        [
          z.literal(false),
          z.strictObject({ cap: z.optional(count), start: z.optional(count), deposit: z.optional(count) }),
        ],
        'give false, or numbers of 0 or more for cap, start and deposit',
      ),
    ),
    health: z.optional(
      z.custom<unknown>((value) => typeof value === 'object' && value !== null, 'give what createHealth() made'),
    ),
    clock: z.optional(
      z.object(
        { now: fn, wallNow: fn, setTimeout: fn, clearTimeout: fn },
        'give now, wallNow, setTimeout and clearTimeout',
      ),
    ),
    random: z.optional(fn),
  },
  'give an object of options, candidates at least',
)

/**
 * Checks the options in place: nothing is copied, so that candidates keep their identity.
 *
 * @throws TypeError naming the path of each fault and what to give instead.
 */
export function checkOptions(given: HeedOptions<Candidate>): void {
  const checked = z.safeParse(options, given)
  const faults = checked.success ? repeatedIds(given.candidates) : checked.error.issues.map((issue) => told(issue))
  if (faults.length > 0) throw new TypeError(`heed: ${faults.join('; ')}`)
}

/** The limits of a guard, defaults filled in. */
export function limitsOf(given: HeedOptions<Candidate>): Limits {
  const { attempts, retryAfter, budget } = given
  return {
    perTarget: attempts?.perTarget ?? 3,
    total: Math.max(attempts?.total ?? 10, given.candidates.length),
    reduce: attempts?.reduce ?? 3,
    switchAfterMs: given.switchAfterMs ?? 5_000,
    maxWaitMs: given.maxWaitMs ?? 60_000,
    maxPauseMs: given.maxPauseMs ?? 300_000,
    capTooLong: retryAfter?.onTooLong === 'cap',
    clampDown: retryAfter?.clampDown ?? false,
    budget: budget === false ? false : budgetOf(budget ?? {}),
  }
}

function budgetOf({ cap = 10, start = 3, deposit = 0.1 }: BudgetOptions): Budget {
  return Object.freeze({ cap, start, deposit })
}

/** A limit of time where 0 is none. */
export function timeLimit(givenMs: number | undefined): number {
  return givenMs === undefined || givenMs === 0 ? Number.POSITIVE_INFINITY : givenMs
}

/** The targets of a chain, and each candidate's first. */
export function chainOf(candidates: readonly Candidate[]): {
  targets: readonly Target[]
  candidates: readonly Target[]
} {
  const targets = targetsOf(candidates).map((target) => Object.freeze(target))
  const firsts = targets.filter((target) => target.position !== targets[target.index - 1]?.position)
  return { targets: Object.freeze(targets), candidates: Object.freeze(firsts) }
}

type Issue = {
  readonly code?: string
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly keys?: readonly string[]
}

function told(issue: Issue): string {
  const path = pathOf(issue.path)
  if (issue.code === 'unrecognized_keys') {
    const where = path === '' ? '' : `${path}.`
    return (issue.keys ?? []).map((key) => `${where}${key} is not an option; see HeedOptions for the names`).join('; ')
  }
  return `${path === '' ? 'the options' : path}: ${issue.message}`
}

function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (said, part) =>
      typeof part === 'number' ? `${said}[${part}]` : said === '' ? String(part) : `${said}.${String(part)}`,
    '',
  )
}

function repeatedIds(candidates: readonly Candidate[]): readonly string[] {
  const faults: string[] = []
  const places = new Map<string, number>()
  candidates.forEach(({ id, credentials }, place) => {
    const before = places.get(id)
    if (before !== undefined)
      faults.push(`candidates[${place}].id: "${id}" is candidates[${before}].id too; give each its own`)
    places.set(id, place)
    // An overflow strategy answers a candidate's id, or this word.
    if (id === 'reduce')
      faults.push(`candidates[${place}].id: "reduce" is what an overflow strategy answers; give another`)
    const ids = (credentials ?? []).map((credential) => (typeof credential === 'string' ? credential : credential.id))
    ids.forEach((each, index) => {
      if (ids.indexOf(each) !== index)
        faults.push(`candidates[${place}].credentials[${index}]: "${each}" is listed twice; list it once`)
    })
  })
  return faults
}
