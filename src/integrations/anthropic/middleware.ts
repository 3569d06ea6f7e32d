import type { Health } from '../../health/health.ts'
import { type Auth, type Guard, heed } from '../../heed.ts'
import type { Attempt, HeedOptions } from '../../options.ts'
import { anthropic } from '../../producers/anthropic.ts'
import { ModelGuards } from '../kit/model-guards.ts'
import { mustBeOptions } from '../kit/must-be-options.ts'
import { errorOf, refusal } from './answered-errors.ts'
import {
  type ApiRequest,
  type Middleware,
  modelBodyOf,
  refuseOwnRetries,
  type Surfaced,
  signalOf,
} from './api-request.ts'
import { clientItself, type MiddlewareCandidate, type NamedCandidate, withNames } from './candidates.ts'
import { type Frame, framesOf } from './frames.ts'
import { ofFrames, saysFailure } from './frames-producer.ts'

/** A middleware of Anthropic's SDK that retries by heed's rules, with what operators subscribe to. */
export interface HeedMiddleware extends Middleware {
  /** What operators subscribe to. */
  readonly health: Health
  /** Where humans answer prompts. */
  readonly auth: Auth
}

/** What `heedMiddleware` takes: heed's options, over the models of one client. */
export interface HeedMiddlewareOptions extends Omit<HeedOptions<NamedCandidate>, 'candidates'> {
  /** The chain, in order of preference. @default [{}]: the client as it is asked, and no other */
  readonly candidates?: readonly MiddlewareCandidate[] | undefined
}

/**
 * Makes a middleware for `new Anthropic({ maxRetries: 0, middleware: [heeding] })` or for one request; keep it, for its
 * `auth` answers for a refused key. All that the client does goes through heed, `messages.stream` included; what surfaces
 * is thrown by the SDK as it is. Of streams only those of Messages (and of the older completions) are read: any other is
 * heed's until it is answered, and then passes as it comes. Fallbacks are other models of the same client: for other hosts
 * there is `heedAnthropic`. What is learned of a model (its rate limit, its retry budget) counts for that model alone, and
 * a request without one, as of `models.list`, goes to the client and to no fallback.
 *
 * @throws TypeError where the options are wrong, naming the path and the fix; from a request where the SDK's own retries
 * are on. Those of the client show only in a repeat: what it repeats is then in the error's `cause.errors`.
 */
export function heedMiddleware(options: HeedMiddlewareOptions = {}): HeedMiddleware {
  mustBeOptions(options, 'heedMiddleware')
  const { candidates = [{}], producer = anthropic } = options
  // What is no producer goes to heed as it is, to be refused by its path.
  const frames = typeof producer?.classify === 'function' ? ofFrames(producer) : producer
  const shared = {
    ...options,
    producer: frames,
    // What is no list is refused by heed itself.
    candidates: Array.isArray(candidates) ? candidates.map(withNames) : (candidates as never),
  }
  const guards = new ModelGuards<NamedCandidate>(shared, isSameKey)
  const { health, auth } = guards
  const bare = heed<NamedCandidate>({ ...shared, health, candidates: [clientItself(shared.candidates)] })
  const surfaced: Surfaced = new WeakMap()
  const middleware: Middleware = async (request, next, context) => {
    const { body } = request
    // A token exchange is the client's own affair, and a body that is a stream can be sent only once.
    if (context.options === undefined || (typeof body !== 'string' && body !== undefined && body !== null)) {
      return next(request)
    }
    const { options: asked } = context
    refuseOwnRetries(request, context, surfaced)
    const said = modelBodyOf(body)
    const guard = said === undefined ? bare : guards.of(said.model)
    const send = async ({ candidate: { model }, abortSignal }: Attempt<NamedCandidate, unknown>): Promise<Response> => {
      const sent = { ...request, headers: new Headers(request.headers), signal: signalOf(request, abortSignal) }
      const response = await next(model === undefined ? sent : { ...sent, body: JSON.stringify({ ...said, model }) })
      if (!response.ok) throw await refusal(response)
      return response
    }
    const call = { abortSignal: request.signal ?? undefined }
    const whole = async (attempt: Attempt<NamedCandidate, unknown>): Promise<Response> => {
      const response = await send(attempt)
      if (!isJson(response)) return response
      const answer = await context.parse(response)
      // A failure that calls itself a success.
      if (saysFailure(attempt.candidate.producer ?? frames, answer)) throw errorOf(response, answer)
      return response
    }
    try {
      return await (asked.stream === true && isMessages(request)
        ? streamed(guard, send, call)
        : guard.execute(whole, call))
    } catch (error) {
      surfaced.set(asked, { error })
      throw error
    }
  }
  return Object.assign(middleware, { health, auth })
}

/** The client sends one key for all of a provider's candidates. */
const isSameKey = (fixed: NamedCandidate, open: NamedCandidate): boolean => fixed.provider === open.provider

/** Whose events are known: other endpoints stream lines, or events for as long as a session lives. */
function isMessages({ url }: ApiRequest): boolean {
  return url === undefined || /\/(messages|complete)$/.test(new URL(url, 'http://localhost').pathname)
}

/** Whether there is a body that may be read before it is handed on. */
function isJson(response: Response): boolean {
  return /\bjson\b/.test(response.headers.get('content-type') ?? '')
}

/** Answers once the first content is there, with the events held until then before it. */
async function streamed(
  guard: Guard<NamedCandidate>,
  send: (attempt: Attempt<NamedCandidate, unknown>) => Promise<Response>,
  call: { readonly abortSignal: AbortSignal | undefined },
): Promise<Response> {
  let head: Response | undefined
  const frames = guard.stream(
    async (attempt) => {
      head = await send(attempt)
      return framesOf(head.body ?? new ReadableStream({ start: (controller) => controller.close() }))
    },
    { ...call, allowEmpty: true, isEnd: (frame: Frame) => anthropic.isEnd?.(frame.item) === true },
  )
  await frames.opened
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await frames.next()
        if (done === true) controller.close()
        else controller.enqueue(encoder.encode(value.text))
      },
      cancel: async () => {
        await frames.return()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, head)
}
