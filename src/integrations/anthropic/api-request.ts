import { isObject } from '../kit/is-object.ts'

/** What heed uses of a request of the SDK. */
export interface ApiRequest {
  /** Tells the endpoint, and by it whether the events of a stream are known. */
  readonly url?: string
  /** Copied for each attempt. */
  readonly headers: Headers
  /** JSON as text; a stream can be sent only once, and is left to the client. */
  readonly body?: unknown
  /** Ends the call at once. */
  readonly signal?: AbortSignal | null | undefined
}

/** What heed uses of a middleware's context. */
export interface Context {
  /** The request's own options; none for a token exchange. */
  readonly options?: { readonly maxRetries?: number; readonly stream?: boolean | undefined } | undefined
  /** The body as the SDK reads it, the response's own left to the client. */
  parse<T = unknown>(response: Response): Promise<T>
}

/** The SDK's type of a middleware, by its shape. */
export type Middleware = <R extends ApiRequest>(
  request: R,
  next: (request: R) => Promise<Response>,
  context: Context,
) => Promise<Response>

/** What surfaced from a request, by the options that the SDK keeps for it and its repeats. */
export type Surfaced = WeakMap<object, { readonly error: unknown }>

/**
 * The SDK shows a middleware the retries that one request asks for; those of the client show when they happen, and go
 * no further than here.
 *
 * @throws TypeError where the SDK retries by itself. What it repeated is in `cause.errors`: the SDK looks for failures to
 * repeat along `cause`, and would wait and ask again, to end with another error.
 */
export function refuseOwnRetries({ headers }: ApiRequest, { options }: Context, surfaced: Surfaced): void {
  const repeated = Number(headers.get('x-stainless-retry-count') ?? 0) > 0
  if (!repeated && (options?.maxRetries ?? 0) === 0) return
  const before = repeated && options !== undefined ? surfaced.get(options) : undefined
  const fault = 'heed: maxRetries: the SDK retries too; make the client with new Anthropic({ maxRetries: 0, … })'
  if (before === undefined) throw new TypeError(fault)
  throw new TypeError(`${fault}; what it repeated is in cause.errors`, {
    cause: new AggregateError([before.error], 'heed gave up, and the SDK made the request again'),
  })
}

/** A body that names the model to ask for. */
export interface ModelBody {
  readonly model: unknown
}

/** The body of a request as it was before it became text; nothing where it names no model. */
export function modelBodyOf(body: unknown): ModelBody | undefined {
  if (typeof body !== 'string') return undefined
  try {
    const asked: unknown = JSON.parse(body)
    return isObject(asked) && 'model' in asked ? (asked as unknown as ModelBody) : undefined
  } catch {
    // The user's own text, which is the server's to refuse.
    return undefined
  }
}

/**
 * The signal of what is sent. Where there are timeouts an attempt has a signal of its own, which says nothing once the
 * attempt has served: a body that is read later hears the caller by the request's. That is the SDK's own and ends with
 * the request, so that nothing gathers on it.
 */
export function signalOf({ signal }: ApiRequest, ofAttempt: AbortSignal): AbortSignal {
  return signal == null || signal === ofAttempt ? ofAttempt : AbortSignal.any([signal, ofAttempt])
}
