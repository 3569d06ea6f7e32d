import * as z from 'zod/mini'
import type { Candidate } from './core/candidate.ts'
import { type Target, targetsOf } from './core/candidate.ts'
import type { Budget, Limits } from './core/policy.ts'
import type { BudgetOptions, HeedOptions } from './options.ts'

/** One check for all leaves: it says what to give instead, and keeps the rest of zod out of the bundle. */
const must = (fits: (value: unknown) => boolean, fix: string): z.ZodMiniType => z.custom<unknown>(fits, fix)

const isNumber = (value: unknown): value is number => typeof value === 'number' && !Number.isNaN(value)
const isWhole = (value: unknown): value is number => Number.isInteger(value) || value === Number.POSITIVE_INFINITY
// Half a character would not survive its way to a store, and take all that goes with it along.
const isName = (value: unknown): boolean => typeof value === 'string' && /^\P{Cs}+$/u.test(value)
const isFunction = (value: unknown): boolean => typeof value === 'function'

const name = must(isName, 'give a name that is not empty, of whole characters')
const ms = must((value) => isNumber(value) && value >= 0, 'give milliseconds of 0 or more, or Infinity for no limit')
const limit = must(
  (value) => isWhole(value) && value >= 1,
  'give a whole number of 1 or more, or Infinity for no limit; the first attempt counts',
)
const whole = must(
  (value) => isWhole(value) && value >= 0,
  'give a whole number of 0 or more, or Infinity for no limit',
)
const fn = must(isFunction, 'give a function')
const flag = must((value) => typeof value === 'boolean', 'give true or false')
const producer = must(
  (value) => isFunction((value as { classify?: unknown } | null | undefined)?.classify),
  'give a producer: an object with a classify function',
)
const credential = must(
  (value) => isName(value) || isName((value as { id?: unknown } | null)?.id),
  'give an id, or an object with an id',
)

const candidate = z.looseObject(
  {
    id: name,
    provider: name,
    contextWindow: z.optional(must((value) => Number.isFinite(value) && Number(value) > 0, 'give tokens, more than 0')),
    credentials: z.optional(z.array(credential, 'give a list')),
    producer: z.optional(producer),
  },
  'give an object with an id and a provider',
)

const saved = must((value) => isNumber(value) && value >= 0, 'give a number of 0 or more, or Infinity for no limit')
const budget = z.strictObject(
  { cap: z.optional(saved), start: z.optional(saved), deposit: z.optional(saved) },
  'give false, or numbers of 0 or more for cap, start and deposit',
)

const options = z.strictObject(
  {
    candidates: z.array(candidate, 'give a list of candidates'),
    producer: z.optional(producer),
    backoff: z.optional(fn),
    auth: z.optional(fn),
    overflow: z.optional(fn),
    unknown: z.optional(fn),
    unclassified: z.optional(fn),
    breaker: z.optional(
      z.looseObject({ coolMs: ms, counter: fn }, 'give coolMs and counter, as the breaker strategies do'),
    ),
    attempts: z.optional(
      z.strictObject(
        { perTarget: z.optional(limit), total: z.optional(limit), reduce: z.optional(whole) },
        'give an object with perTarget, total and reduce',
      ),
    ),
    retryAfter: z.optional(
      z.strictObject(
        {
          onTooLong: z.optional(must((value) => value === 'advance' || value === 'cap', "give 'advance' or 'cap'")),
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
    permanentFor: z.optional(ms),
    idempotent: z.optional(flag),
    budget: z.optional(z.unknown()),
    health: z.optional(must((value) => typeof value === 'object' && value !== null, 'give what createHealth() made')),
    clock: z.optional(
      z.looseObject(
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
export function checkOptions(given: HeedOptions<Candidate>, owner = 'heed'): void {
  const checked = z.safeParse(options, given)
  const faults = checked.success ? fitTogether(given) : checked.error.issues.map((issue) => told(issue))
  if (faults.length > 0) throw new TypeError(`${owner}: ${faults.join('; ')}`)
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
    permanentForMs: given.permanentFor ?? 0,
    capTooLong: retryAfter?.onTooLong === 'cap',
    clampDown: retryAfter?.clampDown ?? false,
    budget: budget === false ? false : budgetOf(budget ?? {}),
  }
}

function budgetOf({ cap = 1, start = 3, deposit = 0.1 }: BudgetOptions): Budget {
  return Object.freeze({ cap, start, deposit })
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

function told({ code, path, message, keys = [] }: Issue): string {
  if (code === 'unrecognized_keys') {
    return keys.map((key) => `${pathOf([...path, key])} is not an option; see HeedOptions for the names`).join('; ')
  }
  return `${pathOf(path) || 'the options'}: ${message}`
}

function pathOf(path: readonly PropertyKey[]): string {
  const parts = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
  return parts.join('').slice(1)
}

/** What no field can say of itself. */
function fitTogether({ candidates, budget: given }: HeedOptions<Candidate>): readonly string[] {
  const faults: string[] = candidates.length === 0 ? ['candidates: give at least one candidate'] : []
  const spending = given === undefined || given === false ? undefined : z.safeParse(budget, given)
  for (const issue of spending?.error?.issues ?? []) faults.push(told({ ...issue, path: ['budget', ...issue.path] }))
  const places = new Map<string, number>()
  candidates.forEach(({ id, credentials }, place) => {
    const before = places.get(id)
    if (before !== undefined)
      faults.push(`candidates[${place}].id: "${id}" is candidates[${before}].id too; give each its own`)
    places.set(id, place)
    // An overflow strategy answers a candidate's id, or one of these words.
    if (id === 'reduce' || id === 'surface') {
      faults.push(`candidates[${place}].id: "${id}" is what an overflow strategy answers; give another`)
    }
    const ids = (credentials ?? []).map((credential) => (typeof credential === 'string' ? credential : credential.id))
    ids.forEach((each, index) => {
      if (ids.indexOf(each) !== index)
        faults.push(`candidates[${place}].credentials[${index}]: "${each}" is listed twice; list it once`)
    })
  })
  return faults
}
