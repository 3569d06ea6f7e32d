import { type AnswerOptions, settingsOf } from './answer-options.ts'
import { ClassHandler, type DispatchHandler } from './class-handler.ts'

/** undici's `dispatch`, of version 7 or 8, as far as an interceptor needs to know it. */
export type Dispatch = (options: never, handler: never) => boolean

/** Takes one `dispatch` and makes another of the same type, as `dispatcher.compose()` asks for. */
export type ClassInterceptor = <D extends Dispatch>(dispatch: D) => D

/**
 * Makes an interceptor for undici (`dispatcher.compose(classInterceptor())`): an answer with a status of 400 or more
 * reaches `request`, `stream`, `pipeline` and `fetch` as an `HttpError` with its class. Everything else passes
 * untouched: interim answers, redirects and revalidation, which other interceptors live on, and what fails on the way. It
 * is a producer only: it retries nothing.
 *
 * Put it last, where it sees what the others leave. `fetch` wraps the error as the `cause` of its own `TypeError`, where
 * it is read as well; {@link fetchWithClass} is the better choice there, since `fetch` asks for Brotli, which runtimes
 * before Node 22.20 and 24.7 cannot decode here: then status and headers alone decide.
 *
 * @throws TypeError where the options are wrong.
 */
export function classInterceptor(options: AnswerOptions = {}): ClassInterceptor {
  const settings = settingsOf('classInterceptor', options)
  return <D extends Dispatch>(dispatch: D): D => {
    const classed = (request: unknown, handler: unknown): boolean =>
      dispatch(request as never, new ClassHandler(handler as DispatchHandler, urlOf(request), settings) as never)
    return classed as unknown as D
  }
}

/** Where the request goes, for producers that know an API by its host. */
function urlOf(request: unknown): string | undefined {
  const { origin, path } = request as { origin?: unknown; path?: unknown }
  return origin === undefined || origin === null ? undefined : `${String(origin).replace(/\/$/, '')}${path}`
}
