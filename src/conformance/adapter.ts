import type { Classification, ErrorClass } from '../core/classification.ts'
import type { Producer, ProducerEnv } from '../core/producer.ts'
import { check, show } from '../testing/conformance/check.ts'
import type { ConformanceCase } from '../testing/conformance/conformance-case.ts'
import { readClassification } from '../wire/read-classification.ts'
import { checkClassification } from './classification-shape.ts'
import { oddFailures, ordinaryValues } from './odd-failures.ts'
import { type QuotaSamples, quotaSamples } from './quota.ts'
import { checkWait } from './wait.ts'

/** One failure as it comes from the source. */
export interface RawFailure {
  /** What is thrown, or plain facts: `{ status, headers, body }`. */
  readonly raw: unknown
  /** Seconds that the source stated; leave it out where it stated none: then the adapter must not either. */
  readonly retryAfterSecs?: number | undefined
}

/** One failure and what it means. */
export interface AdapterSample extends RawFailure {
  /** Names it in a failure's message. */
  readonly name: string
  /** `undefined` where the source does not say. */
  readonly class: ErrorClass | undefined
  /** The request may have been executed. @default false */
  readonly ambiguous?: boolean | undefined
}

/** What {@link adapterConformance} takes. */
export interface AdapterConformanceOptions {
  /** Failures of this source, as they were seen. */
  readonly samples: readonly AdapterSample[]
  /** The three kinds of quota; `false` for a source that has none. */
  readonly quota: QuotaSamples<RawFailure> | false
  /** Values and stream items of this source that are no failures: `inspect` must leave them alone. @default none */
  readonly answers?: readonly unknown[] | undefined
  /** The time at which the samples are read, milliseconds since the epoch. @default 2026-01-01T00:00:00Z */
  readonly nowMs?: number | undefined
}

/**
 * The rules for an adapter: a `Producer` that stands at the edge of a source which does not state its classes. Run each
 * case under any test runner: `for (const { name, run } of adapterConformance(mine, options)) test(name, run)`.
 *
 * @throws TypeError where there is no sample: nothing would be asserted.
 */
export function adapterConformance(producer: Producer, options: AdapterConformanceOptions): readonly ConformanceCase[] {
  const { samples, answers = [], nowMs = READ_AT_MS } = options
  if (samples.length === 0) throw new TypeError('adapterConformance: samples: give at least one failure')
  const env: ProducerEnv = Object.freeze({ nowMs })
  const quota = quotaSamples(options.quota)
  const all: readonly AdapterSample[] = [...samples, ...quota]
  const before = all.map(({ raw }) => show(raw))
  const ask = (raw: unknown): Classification | undefined => producer.classify(raw, env)
  const each =
    (rule: (sample: AdapterSample, answer: Classification | undefined) => void, of = all) =>
    () => {
      for (const sample of of) rule(sample, ask(sample.raw))
    }

  return [
    {
      name: 'never throws, whatever comes in',
      run: () => {
        for (const [label, value] of oddFailures()) {
          for (const [method, call] of methods(producer, env)) {
            try {
              call(value)
            } catch (cause) {
              throw new Error(`${method} threw for ${label}; answer nothing for what it cannot read`, { cause })
            }
          }
        }
      },
    },
    {
      name: 'answers nothing or a classification of the set',
      run: () => {
        for (const { name, raw } of all) checkClassification(`classify of ${name}`, ask(raw))
        for (const [label, value] of oddFailures()) {
          checkClassification(`classify of ${label}`, ask(value))
          checkClassification(`inspect of ${label}`, producer.inspect?.(value, env))
        }
      },
    },
    { name: 'states the class that each sample has', run: each(checkClass, samples) },
    {
      name: 'gives retryAfterSecs in seconds',
      run: each(({ name, retryAfterSecs }, answer) => {
        checkWait(name, 'retryAfterSecs', answer?.retryAfterSecs, retryAfterSecs)
      }),
    },
    ...(quota.length === 0
      ? []
      : [{ name: 'maps each kind of quota as the contract does', run: each(checkClass, quota) }]),
    {
      name: 'says it all in the fields, so that detail can be dropped',
      run: each(({ name }, answer) => {
        const inDetail = readClassification(answer?.detail)
        check(
          inDetail.class === undefined || inDetail.class === answer?.class,
          () => `${name}: detail states ${show(inDetail.class)} and class is ${show(answer?.class)}; state it in class`,
        )
      }),
    },
    {
      name: 'keeps class and wait through JSON',
      run: each(({ name }, answer) => {
        const sent = { class: answer?.class, retry_after_secs: answer?.retryAfterSecs }
        const read = readClassification(JSON.parse(JSON.stringify(sent)))
        check(
          read.class === answer?.class && read.retryAfterSecs === answer?.retryAfterSecs,
          () => `${name}: ${show(sent)} is read as ${show(read)} after JSON; answer plain strings and finite numbers`,
        )
      }),
    },
    {
      name: 'inspects an answer that is no failure to nothing',
      run: () => {
        for (const value of [...ordinaryValues, ...answers]) {
          const found = producer.inspect?.(value, env)
          check(found === undefined, () => `inspect(${show(value)}) answered ${show(found)}; answer nothing`)
        }
      },
    },
    {
      name: 'says of a stream item true, false or nothing',
      run: () => {
        for (const item of [...ordinaryValues, ...answers, ...all.map(({ raw }) => raw)]) {
          for (const method of ['isContent', 'isEnd'] as const) {
            const said: unknown = producer[method]?.(item)
            check(
              said === undefined || typeof said === 'boolean',
              () => `${method}(${show(item)}) answered ${show(said)}; answer true, false or nothing`,
            )
          }
        }
      },
    },
    {
      name: 'answers the same for the same failure, and leaves it as it was',
      run: () => {
        const first = all.map(({ raw }) => show(ask(raw)))
        for (let at = all.length - 1; at >= 0; at -= 1) {
          const { name, raw } = all[at] as AdapterSample
          const again = show(ask(raw))
          check(
            again === first[at],
            () => `${name}: answered ${first[at]}, then ${again}; keep no state, read env.nowMs`,
          )
          check(show(raw) === before[at], () => `${name}: was ${before[at]}, then ${show(raw)}; write to nothing`)
        }
      },
    },
  ]
}

/** A fixed time, so that a sample with a date says the same each day. */
const READ_AT_MS = 1_767_225_600_000

function methods(producer: Producer, env: ProducerEnv): readonly (readonly [string, (value: unknown) => unknown])[] {
  return [
    ['classify', (value) => producer.classify(value, env)],
    ['inspect', (value) => producer.inspect?.(value, env)],
    ['isContent', (value) => producer.isContent?.(value)],
    ['isEnd', (value) => producer.isEnd?.(value)],
  ]
}

function checkClass(
  { name, class: meant, ambiguous = false }: AdapterSample,
  answer: Classification | undefined,
): void {
  check(answer?.class === meant, () => `${name}: class is ${show(answer?.class)}; it means ${show(meant)}`)
  check(
    (answer?.ambiguous === true) === ambiguous,
    () => `${name}: ambiguous is ${show(answer?.ambiguous)}; it means ${show(ambiguous)}`,
  )
}
