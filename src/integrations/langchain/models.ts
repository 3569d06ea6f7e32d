import type { BaseMessage } from '@langchain/core/messages'
import type { AgentMiddleware } from 'langchain'
import type { Candidate } from '../../core/candidate.ts'
import { mustBeObject } from '../../core/must-be-known.ts'
import type { Health } from '../../health/health.ts'
import { type Auth, createHealth, type Guard, heed } from '../../heed.ts'
import type { CallOptions } from '../../options.ts'
import { langchain } from '../../producers/langchain.ts'
import type { Credentials } from '../kit/credential-list.ts'
import { mustBeFunctions, mustBeOptions } from '../kit/must-be-options.ts'
import { mustHaveNoCredentials } from '../kit/must-have-no-credentials.ts'
import { answerOf } from './answer.ts'
import { AuthInterrupts, mustSayWhoWaits, type OnAuthRequired, withoutPause } from './auth-interrupt.ts'
import { type ChainLink, chainOf, describe, type ModelList, madeOf, modelOf } from './candidates.ts'
import { besides, mustDiffer } from './distinct.ts'
import { type GuardOptions, passingSignals } from './guard-options.ts'
import { inContext } from './in-context.ts'
import { mustNotRetry } from './inner-retries.ts'
import { type Middleware, type ModelRequest, middlewareOf } from './middleware.ts'
import { overlaid } from './overlaid.ts'
import { toldOfCall } from './told-of-call.ts'

/** What one model call may say of itself. The messages are its `input`: `reduce` answers fewer or shorter ones. */
export type ModelCallOptions = Omit<CallOptions<Candidate, BaseMessage[]>, 'abortSignal' | 'input'>

/** What {@link heedModels} takes: heed's own options, and these; `Ls` is the fallbacks' lists of credentials. */
export interface HeedModelsOptions<Ls extends readonly unknown[] = readonly Credentials[]> extends GuardOptions {
  /** Models that follow the agent's own, in order of preference, each with `maxRetries: 0`. @default none */
  readonly fallbacks?: ModelList<Ls> | undefined
  /** What heed is to know of the agent's own model. @default what the model says of itself */
  readonly primary?: Partial<Omit<Candidate, 'credentials'>> | undefined
  /**
   * Who waits where a credential must be renewed: `'pause'` waits in process for `auth.resolve(provider)`;
   * `'interrupt'` raises LangGraph's `interrupt()` with an {@link AuthInterrupt}, and goes on when the graph is resumed:
   * `new Command({ resume: true })` resolves the provider, `resume: { declined: true, reason }` declines it. It needs a
   * checkpointer.
   *
   * @default 'pause'
   */
  readonly onAuthRequired?: OnAuthRequired | undefined
  /** Options of one model call, made of its request: `inputTokens`, `reduce`, `timeoutMs`, `idempotent`. */
  readonly call?: ((request: ModelRequest) => ModelCallOptions) | undefined
}

/** A middleware for `createAgent({ middleware: [] })`, with where operators listen and humans answer. */
export interface HeedModels extends Middleware {
  /** What operators subscribe to, and what calls share. */
  readonly health: Health
  /** Where humans answer prompts. */
  readonly auth: Auth
}

/** Stands for the agent's own model until that is known. */
const AGENTS_OWN: Candidate = { id: 'the model of the agent', provider: 'the provider of the agent' }

/**
 * Makes an agent's model calls obey what the providers say when they fail: the agent's own `model` first, then the
 * fallbacks. Messages say under `response_metadata.heed` (see `HeedMetadata`) who served. Tokens that went out under `streamMode: 'messages'` commit the call. Put it last, next to the model, so that
 * what other middleware do to a request is done once.
 *
 * @throws TypeError where the options are wrong, naming the path and the fix. A call throws one where the agent's own
 * model retries by itself, or where a fallback that is another model has its name.
 */
export function heedModels<Ls extends readonly unknown[] | []>(options: HeedModelsOptions<Ls> = {}): HeedModels {
  mustBeOptions(options, 'heedModels', {
    instead: { candidates: "name them fallbacks: the first candidate is the agent's own model" },
  })
  const { fallbacks = [], primary = {}, onAuthRequired = 'pause', call, ...rest } = options
  mustBeFunctions({ call }, 'heedModels')
  mustBeObject(primary, 'heedModels: primary', "with what heed is to know of the agent's own model")
  mustSayWhoWaits(onAuthRequired)
  mustHaveNoCredentials(primary, 'heedModels: primary', "the agent's own model has its key; make it a fallback")
  const health = rest.health ?? createHealth({ clock: rest.clock })
  const links = chainOf(fallbacks, 'heedModels', 'fallbacks')
  mustDiffer(links)
  const guardOf = (own: Candidate, others = links): ModelGuard => {
    const candidates: readonly ChainLink[] = Array.isArray(others) ? [own, ...others] : others
    const given = passingSignals({ producer: langchain, ...rest, health, candidates })
    return { chain: candidates, guard: heed(onAuthRequired === 'interrupt' ? withoutPause(given) : given) }
  }
  const unknown = guardOf({ ...AGENTS_OWN, ...primary })
  const guards = new Map<string, ModelGuard>()
  const guardFor = async (model: unknown): Promise<ModelGuard> => {
    const resolved = await madeOf(model)
    mustNotRetry(resolved, 'heedModels: the model of the agent')
    const own = { ...describe(resolved), ...primary }
    const key = JSON.stringify([own.id, own.provider, own.contextWindow])
    const others = besides({ id: own.id, models: [model, resolved] }, links)
    const known = guards.get(key) ?? guardOf(own, others)
    guards.set(key, known)
    return known
  }
  const interrupts = new AuthInterrupts()
  const wrapModelCall: AgentMiddleware['wrapModelCall'] = async (request, handler) => {
    const { guard, chain } = await guardFor(request.model)
    const within = inContext()
    const { signal: abortSignal } = request.runtime
    const ask = () =>
      answerOf<ChainLink, BaseMessage[], Awaited<ReturnType<typeof handler>>>(
        guard,
        async (attempt, added) => {
          const model = overlaid((await modelOf(attempt)) ?? request.model, added)
          return within(() => handler({ ...request, messages: attempt.input, model } as typeof request))
        },
        { ...toldOfCall(call, request as ModelRequest, 'heedModels'), abortSignal, input: request.messages },
      )
    return onAuthRequired === 'interrupt' ? interrupts.run(guard, chain, request.runtime, ask) : ask()
  }
  return { ...middlewareOf({ name: 'heedModels', wrapModelCall }), health, auth: unknown.guard.auth }
}

interface ModelGuard {
  readonly guard: Guard<ChainLink>
  readonly chain: readonly ChainLink[]
}
