import type { Model, ModelRequest, ModelResponse, ModelRetryAdviceRequest, StreamEvent } from '@openai/agents-core'
import type { Producer } from '../../core/producer.ts'
import type { Health } from '../../health/health.ts'
import { type Auth, heed } from '../../heed.ts'
import type { CallOptions, HeedOptions, ReduceInput } from '../../options.ts'
import type { Credentials } from '../kit/credential-list.ts'
import { mustBeFunctions, mustBeOptions } from '../kit/must-be-options.ts'
import { type AgentsProducer, agentsProducer, isEnd } from './agents-producer.ts'
import { type ModelAttempt, type ModelList, type NamedCandidate, namedCandidates } from './candidates.ts'
import { defaultProducer } from './default-producer.ts'
import { relay, servedBy } from './relay.ts'
import { requestOf } from './request-of.ts'
import { RetryAdvice } from './retry-advice.ts'

/**
 * What {@link heedModel} takes: heed's own options, and what it can learn from a request. `Ls` is the lists of credentials.
 */
export interface HeedModelOptions<Ls extends readonly unknown[] = readonly Credentials[]>
  extends Omit<HeedOptions<NamedCandidate>, 'candidates'> {
  /** The models, in order of preference; an object where heed is to know more of one. At least one. */
  readonly candidates: ModelList<Ls>
  /** Reads the failures of candidates that have no producer of their own. @default llm(): it tells the APIs apart */
  readonly producer?: Producer | undefined
  /** Tokens of a request: windows known to be too small are skipped. @default unknown, so that none is */
  readonly inputTokens?: ((request: ModelRequest) => number | undefined) | undefined
  /** Makes a smaller request after an overflow that no larger window can take. @default none: the overflow surfaces */
  readonly reduce?: ReduceInput<NamedCandidate, ModelRequest> | undefined
}

/** A model of the Agents SDK that goes by the classes of failures. Safe to share between agents and runs. */
export interface HeedModel extends Model {
  /** What operators subscribe to, and what calls share. */
  readonly health: Health
  /** Where humans answer prompts. */
  readonly auth: Auth
}

/**
 * Makes a model of several: give it to an `Agent` as `model`. Each response says in `providerData.heed` which candidate
 * served and after how many attempts.
 *
 * The models' own repeats (the OpenAI client makes two) are switched off for every request, with the mark that the
 * runner itself uses. `modelSettings.retry` of a runner above is told through `getRetryAdvice` that heed has given up.
 *
 * @throws TypeError where the options are wrong, naming the path and the fix.
 */
export function heedModel<Ls extends readonly unknown[] | []>(options: HeedModelOptions<Ls>): HeedModel {
  mustBeOptions(options, 'heedModel', { needs: 'candidates' })
  const { candidates: given, producer = defaultProducer(), inputTokens, reduce, ...rest } = options
  mustBeFunctions({ inputTokens, reduce }, 'heedModel')
  const advice = new RetryAdvice()
  const read = (base: Producer): AgentsProducer => advice.listening(agentsProducer(base))
  const candidates = namedCandidates(given, read, rest.health !== undefined)
  const guard = heed<NamedCandidate>({
    ...rest,
    candidates,
    // One that is none goes to heed as it is, to be refused by its path.
    producer: typeof producer?.classify === 'function' ? read(producer) : producer,
  })
  const call = (request: ModelRequest): CallOptions<NamedCandidate, ModelRequest> => ({
    abortSignal: request.signal,
    inputTokens: inputTokens?.(request),
    input: request,
    reduce,
  })
  return {
    health: guard.health,
    auth: guard.auth,
    // The prompt chooses the model only where every candidate would let it.
    supportsPromptModelSelection: candidates.every(
      ({ model }) => typeof model !== 'function' && model.supportsPromptModelSelection === true,
    ),
    getResponse: async (request) =>
      guard.execute<ModelResponse, ModelRequest>(async (attempt) => {
        const model = await modelOf(attempt)
        return servedBy(await model.getResponse(requestOf(attempt)), attempt)
      }, call(request)),
    getStreamedResponse: (request) =>
      guard.stream<StreamEvent, ModelRequest>(
        async (attempt) => {
          const model = await modelOf(attempt)
          const source = model.getStreamedResponse(requestOf(attempt))
          return relay(source, attempt, attempt.candidate.producer?.base ?? producer, advice)
        },
        // A model may have nothing to say, which is a whole answer once it says that it is done.
        { ...call(request), allowEmpty: true, isEnd },
      ),
    getRetryAdvice: ({ error }: ModelRetryAdviceRequest) => advice.about(error),
  }
}

function modelOf(attempt: ModelAttempt): Model | PromiseLike<Model> {
  const { model } = attempt.candidate
  return typeof model === 'function' ? model(attempt) : model
}
