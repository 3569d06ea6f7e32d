import { type AnswerOptions, type AnswerSettings, settingsOf } from './answer-options.ts'
import { httpErrorOf } from './classify-answer.ts'
import type { HttpError } from './http-error.ts'
import { readBody } from './read-body.ts'

/** What is read of a response, so that any client's will do. */
export interface FetchAnswer {
  readonly ok: boolean
  readonly status: number
  readonly headers: { forEach(callback: (value: string, name: string) => void): void }
  readonly body?: unknown
  readonly url?: string
}

/** Any function that speaks as `fetch` does. */
export type AnyFetch = (...args: never[]) => Promise<FetchAnswer>

/** What {@link fetchWithClass} takes. */
export interface FetchWithClassOptions<F extends AnyFetch> extends AnswerOptions {
  /** The client. @default globalThis.fetch, as it is at the time of each call */
  readonly fetch?: F | undefined
}

/**
 * Wraps a `fetch` so that failed answers are thrown, with their class. A success comes back untouched. It is a producer
 * only: it retries nothing.
 *
 * What fails on the way (a reset, a timeout, a name that is not known) is thrown as it came; a guard with the same
 * producer reads it. A redirect that the caller keeps for itself (`redirect: 'manual'`), `304` and opaque responses are
 * answers that were asked for, and come back too.
 *
 * @example
 * const fetch = fetchWithClass()
 * const guard = heed({ candidates, producer: llm() })
 * await guard.execute(({ candidate, abortSignal }) => fetch(candidate.url, { signal: abortSignal }))
 *
 * @throws TypeError where the options are wrong. The function made rejects with an {@link HttpError}, with the caller's
 * own reason on abort, or with what the client threw.
 */
export function fetchWithClass<F extends AnyFetch = typeof globalThis.fetch>(
  options: FetchWithClassOptions<F> = {},
): F {
  const settings = settingsOf('fetchWithClass', options, ['fetch'])
  if (options.fetch !== undefined && typeof options.fetch !== 'function') {
    throw new TypeError('fetchWithClass: fetch: give a function')
  }
  const classed = async (...args: unknown[]): Promise<FetchAnswer> => {
    const fetch: AnyFetch = options.fetch ?? globalThis.fetch
    const response = await fetch(...(args as never[]))
    if (!isFailure(response, args)) return response
    throw await failureOf(response, optionOf(args, 'signal') as AbortSignal | undefined, settings)
  }
  return classed as unknown as F
}

function isFailure({ ok, status }: FetchAnswer, args: readonly unknown[]): boolean {
  if (ok || status === 0 || status === 304) return false
  return status >= 400 || optionOf(args, 'redirect') !== 'manual'
}

async function failureOf(
  response: FetchAnswer,
  abortSignal: AbortSignal | undefined,
  settings: AnswerSettings,
): Promise<HttpError> {
  const { status, url } = response
  const headers: Record<string, string> = Object.create(null)
  response.headers.forEach((value, name) => {
    headers[name.toLowerCase()] = value
  })
  const read = await readBody(response.body, { ...settings, abortSignal })
  return httpErrorOf({ status, headers, url: url === '' ? undefined : url, ...read }, settings)
}

/** As `fetch` itself looks: the second argument first, then the `Request`. */
function optionOf([input, init]: readonly unknown[], name: 'signal' | 'redirect'): unknown {
  const given = (init as Record<string, unknown> | null | undefined)?.[name]
  if (given !== undefined) return given ?? undefined
  return typeof input === 'object' && input !== null
    ? ((input as Record<string, unknown>)[name] ?? undefined)
    : undefined
}
