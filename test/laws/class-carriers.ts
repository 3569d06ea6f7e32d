import { runInContext } from 'node:vm'
import fc from 'fast-check'
import { realm } from './foreign-copy.ts'
import { goodHint, knownClass, unknownClass } from './support/arbitraries.ts'

/** The contract's fields, as they are stated. */
export interface Stated {
  readonly class: string
  readonly retry_after_secs?: unknown
  readonly exhausted?: boolean
}

export const stated: fc.Arbitrary<Stated> = fc.record(
  {
    class: fc.oneof({ weight: 3, arbitrary: knownClass }, { weight: 1, arbitrary: unknownClass }),
    retry_after_secs: fc.oneof(goodHint, goodHint, fc.constantFrom(-1, '5', null, Number.NaN)),
    exhausted: fc.boolean(),
  },
  { requiredKeys: ['class'] },
)

class Custom {
  readonly #fields: Stated
  constructor(fields: Stated) {
    this.#fields = fields
  }
  get class(): string {
    return this.#fields.class
  }
  get retry_after_secs(): unknown {
    return this.#fields.retry_after_secs
  }
  get exhausted(): boolean | undefined {
    return this.#fields.exhausted
  }
}

/** What the fields stand on. None of it need be an `Error`, or of this realm. */
const BASES: Readonly<Record<string, (fields: Stated) => object>> = {
  'an error': (fields) => Object.assign(new Error('failed'), fields),
  'a plain object': (fields) => ({ ...fields }),
  'an object without a prototype': (fields) => Object.assign(Object.create(null) as object, fields),
  'an instance with getters': (fields) => new Custom(fields),
  'a function': (fields) => Object.assign(() => undefined, fields),
  'an array': (fields) => Object.assign([1, 2, 3], fields),
  'an error of another realm': (fields) =>
    runInContext("(fields) => Object.assign(new Error('failed'), fields)", realm)(fields),
  'a rejection of another realm': (fields) =>
    runInContext('(fields) => { try { throw { ...fields } } catch (thrown) { return thrown } }', realm)(fields),
  'parsed JSON': (fields) => JSON.parse(JSON.stringify(fields)),
  'a structured clone': (fields) => structuredClone({ ...fields }),
}

/** Where on what is thrown they stand. */
const PLACES: Readonly<Record<string, (base: object, fields: Stated) => object>> = {
  itself: (base) => base,
  'its error': (base) => ({ status: 'failed', error: base }),
  'its result.error': (base) => ({ result: { error: base } }),
  'its detail': (_base, fields) => Object.assign(new Error('failed'), { detail: fields }),
  'the detail of its error': (_base, fields) => ({ error: { detail: fields } }),
}

/** How it is kept. */
const KEEPINGS: Readonly<Record<string, (value: object) => object>> = {
  'as it is': (value) => value,
  frozen: (value) => Object.freeze(value),
  proxied: (value) => new Proxy(value, { get: (target, field) => Reflect.get(target, field) }),
  'with getters that throw beside': (value) => {
    for (const field of ['message', 'status', 'code']) {
      Object.defineProperty(value, field, {
        get: () => {
          throw new Error(`${field} was read`)
        },
      })
    }
    return value
  },
}

/** One way for a class to travel. */
export interface Journey {
  readonly base: string
  readonly place: string
  readonly keeping: string
  /** Errors around it, each the `cause` of the next. */
  readonly causes: number
}

export const journey: fc.Arbitrary<Journey> = fc.record({
  base: fc.constantFrom(...Object.keys(BASES)),
  place: fc.constantFrom(...Object.keys(PLACES)),
  keeping: fc.constantFrom(...Object.keys(KEEPINGS)),
  causes: fc.constantFrom(0, 0, 1, 2, 10),
})

/** Sends the fields on their way: what is thrown at its end. */
export function carry(fields: Stated, { base, place, keeping, causes }: Journey): object {
  const placed = PLACES[place]?.((BASES[base] as (fields: Stated) => object)(fields), fields) as object
  return wrapped((KEEPINGS[keeping] as (value: object) => object)(placed), causes)
}

/** A value as the cause of so many errors. */
export function wrapped(value: object, causes: number): object {
  let outer = value
  for (let depth = 0; depth < causes; depth += 1) outer = new Error(`layer ${depth}`, { cause: outer })
  return outer
}
