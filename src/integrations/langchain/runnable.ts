import { mergeConfigs, patchConfig, Runnable, type RunnableConfig } from '@langchain/core/runnables'
import type { Health } from '../../health/health.ts'
import { type Auth, type Guard, heed } from '../../heed.ts'
import type { CallOptions } from '../../options.ts'
import { langchain } from '../../producers/langchain.ts'
import { answerOf, signalOf } from './answer.ts'
import { type AnyRunnable, type ChainLink, chainOf, type LangChainCandidate, modelOf } from './candidates.ts'
import { committing } from './emissions.ts'
import { type GuardOptions, passingSignals } from './guard-options.ts'
import { inContext } from './in-context.ts'

/** What {@link heedRunnable} takes: heed's own options, and these. */
export interface HeedRunnableOptions<R extends AnyRunnable = AnyRunnable> extends GuardOptions {
  /** Models, or whole chains, in order of preference; each model with `maxRetries: 0`. At least one. */
  readonly candidates: readonly (R | LangChainCandidate<R>)[]
  /** Options of one call, made of its input: `inputTokens`, `reduce`, `timeoutMs`, `idempotent`. */
  readonly call?: ((input: InputOf<R>) => RunnableCallOptions<InputOf<R>>) | undefined
}

export type RunnableCallOptions<I> = Omit<CallOptions<ChainLink, I>, 'abortSignal' | 'input'>

type InputOf<R> = R extends AnyRunnable<infer I, infer _O> ? I : never
type OutputOf<R> = R extends AnyRunnable<infer _I, infer O> ? O : never

/**
 * A chain of candidates that is a LangChain Runnable: `invoke`, `stream`, `batch`, `pipe` and all that is built on them.
 * A stream may go on with another candidate until its first content, and never after.
 *
 * @throws TypeError where the options are wrong, naming the path and the fix.
 */
export function heedRunnable<R extends AnyRunnable>(
  options: HeedRunnableOptions<R>,
): HeedRunnable<InputOf<R>, OutputOf<R>> {
  const { call, ...rest } = options
  const candidates = chainOf(options.candidates as never, 'heedRunnable', 'candidates')
  return new HeedRunnable(heed(passingSignals({ producer: langchain, ...rest, candidates })), call as never)
}

/** What {@link heedRunnable} makes. */
export class HeedRunnable<I, O> extends Runnable<I, O> {
  static override lc_name(): string {
    return 'HeedRunnable'
  }

  override lc_namespace: string[] = ['heed', 'integrations', 'langchain']
  readonly #guard: Guard<ChainLink>
  readonly #call: ((input: I) => RunnableCallOptions<I>) | undefined

  constructor(guard: Guard<ChainLink>, call?: (input: I) => RunnableCallOptions<I>) {
    super()
    this.#guard = guard
    this.#call = call
  }

  /** What operators subscribe to. */
  get health(): Health {
    return this.#guard.health
  }

  /** Where humans answer prompts. */
  get auth(): Auth {
    return this.#guard.auth
  }

  override invoke(input: I, options?: Partial<RunnableConfig>): Promise<O> {
    return this._callWithConfig(
      (given: I, config, run) => {
        const child = patchConfig(config, run && { callbacks: run.getChild() })
        const within = inContext(child)
        return answerOf<ChainLink, I, O>(
          this.#guard,
          async (attempt, added) => {
            const model = (await modelOf(attempt)) as AnyRunnable<I, O>
            return within(() => model.invoke(attempt.input, mergeConfigs(child, added)))
          },
          this.#options(given, config),
        )
      },
      input,
      options as never,
    )
  }

  override async *_streamIterator(input: I, options?: Partial<RunnableConfig>): AsyncGenerator<O> {
    yield* this._transformStreamWithConfig(
      once(input),
      (inputs, run, config) => this.#streamed(inputs, patchConfig(config, run && { callbacks: run.getChild() })),
      options as never,
    )
  }

  async *#streamed(inputs: AsyncGenerator<I>, child: Partial<RunnableConfig>): AsyncGenerator<O> {
    const within = inContext(child)
    for await (const input of inputs) {
      yield* this.#guard.stream<O, I>(
        async (attempt) => {
          const model = (await modelOf(attempt)) as AnyRunnable<I, O>
          // Within a graph tokens go out by callbacks too, and a chain may hold back what a model of it has emitted.
          const added = { callbacks: committing(attempt.commit), ...signalOf(attempt, child.signal) }
          return within(() => model.stream(attempt.input, mergeConfigs(child, added)))
        },
        this.#options(input, child),
      )
    }
  }

  #options(input: I, config: Partial<RunnableConfig> | undefined): CallOptions<ChainLink, I> {
    return { ...this.#call?.(input), abortSignal: config?.signal, input }
  }
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value
}
