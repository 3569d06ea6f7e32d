import type { Classification } from '../core/classification.ts'
import type { Producer } from '../core/producer.ts'
import { combine } from '../wire/combine.ts'
import { readClassification } from '../wire/read-classification.ts'
import type { AnswerSettings } from './answer-options.ts'
import { HttpError } from './http-error.ts'

/** A failed answer as it was read. */
export interface FailedAnswer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly url: string | undefined
  readonly bytes: Uint8Array
  /** Why the body is not whole. */
  readonly cause?: unknown
}

/** The error of a failed answer: what its body states by the contract, else what the producer says of it. */
export function httpErrorOf(answer: FailedAnswer, settings: AnswerSettings): HttpError {
  const { status, headers, url, cause } = answer
  const body = parsed(new TextDecoder().decode(answer.bytes))
  const raw = { status, headers, body, ...(url === undefined ? {} : { url }) }
  const said = ask(settings.producer, raw, settings.clock.wallNow())
  return new HttpError({ ...raw, classification: combine(readClassification(body), said), cause })
}

/** A producer never throws; one that does says nothing. */
function ask(producer: Producer, raw: unknown, nowMs: number): Classification | undefined {
  try {
    return producer.classify(raw, { nowMs }) ?? undefined
  } catch {
    return undefined
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A page, an event or the beginning of something longer: the producer makes of it what it can.
    return text
  }
}
