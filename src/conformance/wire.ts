import { ERROR_CLASS_WIRE_SET, type ErrorClass, isErrorClass } from '../core/classification.ts'
import { check, show } from '../testing/conformance/check.ts'
import type { ConformanceCase } from '../testing/conformance/conformance-case.ts'
import { readClassification } from '../wire/read-classification.ts'
import { type QuotaSamples, quotaSamples } from './quota.ts'
import { type StatedFields, statedFields, throughJson } from './stated-fields.ts'
import { checkWait } from './wait.ts'

/** One error as a producer emits it. */
export interface EmittedError {
  /** The body as JSON text, what is parsed from it, or the error object that is thrown. */
  readonly emitted: unknown
  /** Seconds that the source stated; leave it out where it stated none: then the error must not either. */
  readonly retryAfterSecs?: number | undefined
}

/** One error and what it means. */
export interface WireSample extends EmittedError {
  /** Names it in a failure's message. */
  readonly name: string
  readonly class: ErrorClass
}

/** What {@link wireConformance} takes. */
export interface WireConformanceOptions {
  /** The producer's own constant of all classes that it can write. */
  readonly wireSet: readonly string[]
  /** At least one error for each class that the producer really emits. Emitted by it, not written for the test. */
  readonly samples: readonly WireSample[]
  /** The three kinds of quota; `false` for a source that has none. */
  readonly quota: QuotaSamples<EmittedError> | false
  /**
   * The producer's own reader, if it reads its records again: the class of a parsed body.
   *
   * @default heed's reader, so that what was emitted is at least found by it.
   */
  readonly readClass?: ((wire: unknown) => unknown) | undefined
}

/** Ways to misspell the two fields, without `_`, `-` and capitals. */
const MISSPELT: Readonly<Record<string, string>> = {
  errorclass: 'class',
  retryafter: 'retry_after_secs',
  retryaftersecs: 'retry_after_secs',
  retryafterseconds: 'retry_after_secs',
  retryafterms: 'retry_after_secs',
  retryaftermillis: 'retry_after_secs',
}

/**
 * The rules for a producer that writes the contract's fields itself (error-class contract v1). Run each case under any
 * test runner: `for (const { name, run } of wireConformance(mine)) test(name, run)`.
 *
 * @throws TypeError where there is no sample: nothing would be asserted.
 */
export function wireConformance(options: WireConformanceOptions): readonly ConformanceCase[] {
  const { wireSet, samples, readClass = (wire: unknown) => readClassification(wire).class } = options
  if (samples.length === 0) throw new TypeError('wireConformance: samples: give at least one error')
  const quota = quotaSamples(options.quota)
  const all: readonly WireSample[] = [...samples, ...quota]
  const each =
    (rule: (sample: WireSample, fields: StatedFields) => void, of = all) =>
    () => {
      for (const sample of of) rule(sample, fieldsOf(sample))
    }
  const respelt = (sample: WireSample, stated: string): unknown => {
    const wire = throughJson(sample.emitted)
    const fields = statedFields(wire)
    if (fields !== undefined) fields.class = stated
    return wire
  }

  return [
    {
      name: 'pins the four wire strings, no more and no fewer',
      run: () => {
        const same = [...wireSet].sort().join() === [...ERROR_CLASS_WIRE_SET].sort().join()
        check(same, () => `wireSet is ${show(wireSet)}; it must be ${show(ERROR_CLASS_WIRE_SET)}`)
      },
    },
    {
      name: 'writes no class outside the set',
      run: each(({ name }, { class: stated }) => {
        const hint = stated === 'auth' ? ' (auth is for reading old records only)' : ''
        check(isErrorClass(stated), () => `${name}: class is ${show(stated)}${hint}; write one of ${show(wireSet)}`)
      }),
    },
    { name: 'states the class that each sample has', run: each(checkClass, samples) },
    {
      name: 'spells the fields as the contract does',
      run: each(({ name }, fields) => {
        for (const key of Object.keys(fields)) {
          const meant = MISSPELT[key.toLowerCase().replace(/[_-]/g, '')]
          check(
            meant === undefined || Object.hasOwn(fields, meant),
            () => `${name}: ${key} stands beside the class; spell it ${meant}`,
          )
        }
      }),
    },
    {
      name: 'gives retry_after_secs in seconds, beside the class',
      run: each(({ name, retryAfterSecs }, fields) => {
        checkWait(name, 'retry_after_secs', fields['retry_after_secs'], retryAfterSecs)
      }),
    },
    {
      name: 'keeps both fields through JSON',
      run: each(({ name, emitted }, fields) => {
        const after = statedFields(throughJson(emitted))
        for (const field of ['class', 'retry_after_secs']) {
          check(
            after?.[field] === fields[field],
            () => `${name}: ${field} is ${show(fields[field])}, and after JSON ${show(after?.[field])}; serialize it`,
          )
        }
      }),
    },
    ...(quota.length === 0
      ? []
      : [{ name: 'maps each kind of quota as the contract does', run: each(checkClass, quota) }]),
    {
      name: 'reads auth as auth_required',
      run: () => {
        const old = all.filter((sample) => sample.class === 'auth_required').map((sample) => respelt(sample, 'auth'))
        for (const wire of old.length > 0 ? old : [{ class: 'auth' }]) {
          const read = readClass(wire)
          check(read === 'auth_required', () => `${show(wire)} was read as ${show(read)}; read it as auth_required`)
        }
      },
    },
    {
      name: 'reads a class outside the set as it came',
      run: () => {
        for (const sample of all) {
          const read = readClass(respelt(sample, 'quota_window'))
          check(read === 'quota_window', () => `${sample.name}: quota_window was read as ${show(read)}; pass it on`)
        }
      },
    },
  ]
}

function fieldsOf({ name, emitted }: WireSample): StatedFields {
  const fields = statedFields(typeof emitted === 'string' ? throughJson(emitted) : emitted)
  check(fields !== undefined, () => `${name}: no class in ${show(emitted)}; write it at the top, in error or in detail`)
  return fields
}

function checkClass({ name, class: meant }: WireSample, { class: stated }: StatedFields): void {
  check(stated === meant, () => `${name}: class is ${show(stated)}; it means ${meant}`)
}
