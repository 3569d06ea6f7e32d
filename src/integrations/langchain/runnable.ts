import { ensureConfig, mergeConfigs, patchConfig, Runnable, type RunnableConfig } from '@langchain/core/runnables'
import { AsyncGeneratorWithSetup, IterableReadableStream } from '@langchain/core/utils/stream'
import type { Health } from '../../health/health.ts'
import { type Auth, type Guard, heed } from '../../heed.ts'
import type { CallOptions } from '../../options.ts'
import { langchain } from '../../producers/langchain.ts'
import type { Credentials } from '../kit/credential-list.ts'
import { mustBeFunctions, mustBeOptions } from '../kit/must-be-options.ts'
import { answerOf, signalOf } from './answer.ts'
import {
  type AnyRunnable,
  type ChainLink,
  chainOf,
  type LangChainCandidate,
  type ModelList,
  modelOf,
} from './candidates.ts'
import { committing } from './emissions.ts'
import { type GuardOptions, passingSignals } from './guard-options.ts'
import { inContext } from './in-context.ts'
import { sayServed } from './served.ts'
import { toldOfCall } from './told-of-call.ts'

/** What {@link heedRunnable} takes: heed's own options, and these; `Ls` is the lists of credentials. */
export interface HeedRunnableOptions<C = Listed, Ls extends readonly unknown[] = readonly Credentials[]>
  extends GuardOptions {
  /** Models, or whole chains, in order of preference; each model with `maxRetries: 0`. At least one. */
  readonly candidates: ModelList<Ls> | readonly Shown<C>[]
  /** Options of one call, made of its input: `inputTokens`, `reduce`, `timeoutMs`, `idempotent`. */
  readonly call?: ((input: InputOf<C>) => RunnableCallOptions<InputOf<C>>) | undefined
}

/**
 * Nothing is of this type: it is there for the compiler to learn from a list what its candidates are, each as it is
 * written, and so what the chain takes and answers. What a list may hold is said by {@link ModelList}.
 */
export type Shown<C> = C & { readonly [SHOWN]: never }

declare const SHOWN: unique symbol

/** What one call may say of itself. */
export type RunnableCallOptions<I> = Omit<CallOptions<ChainLink, I>, 'abortSignal' | 'input'>

/** What a chain is made of. */
export type Listed = AnyRunnable | LangChainCandidate

/** What every one of the candidates takes. */
export type InputOf<C> = (C extends unknown ? (input: RunBy<C>['input']) => void : never) extends (
  input: infer I,
) => void
  ? I
  : never

/** What one of the candidates answers. */
export type OutputOf<C> = C extends unknown ? RunBy<C>['output'] : never

// Where nothing is known of the list, as in `ReturnType<typeof heedRunnable>`, it is as if of any runnable.
type RunBy<C> = unknown extends C
  ? RunBy<AnyRunnable>
  : C extends AnyRunnable<infer I, infer O>
    ? { input: I; output: O }
    : C extends { readonly model: infer M }
      ? M extends (...args: never) => infer R
        ? RunBy<Awaited<R>>
        : RunBy<M>
      : never

/**
 * A chain of candidates that is a LangChain Runnable: `invoke`, `stream`, `batch`, `pipe` and all that is built on them.
 * A stream may go on with another candidate until its first content, and never after. Messages say under
 * `response_metadata.heed` (see `HeedMetadata`) who served.
 *
 * @throws TypeError where the options are wrong, naming the path and the fix.
 */
export function heedRunnable<C, Ls extends readonly unknown[] | []>(
  options: HeedRunnableOptions<C, Ls>,
): HeedRunnable<InputOf<C>, OutputOf<C>> {
  mustBeOptions(options, 'heedRunnable', { needs: 'candidates' })
  const { call, ...rest } = options
  mustBeFunctions({ call }, 'heedRunnable')
  const candidates = chainOf(options.candidates, 'heedRunnable', 'candidates')
  return new HeedRunnable(heed(passingSignals({ producer: langchain, ...rest, candidates })), call)
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

  /** As every Runnable's, but that a consumer who leaves is heard at once, also while the next chunk is awaited. */
  override async stream(input: I, options?: Partial<RunnableConfig>): Promise<IterableReadableStream<O>> {
    const config = ensureConfig(options)
    const door: Door = {}
    const chunks = new AsyncGeneratorWithSetup({ generator: this.#chunks(input, config, door), config })
    await chunks.setup
    return IterableReadableStream.fromAsyncGenerator({
      next: () => chunks.next(),
      // A generator that is in the middle of its next chunk would hear of its end only after that.
      return: async (reason?: unknown) => {
        await door.leave?.()
        return chunks.return(reason as O)
      },
    } as AsyncGenerator<O>)
  }

  override _streamIterator(input: I, options?: Partial<RunnableConfig>): AsyncGenerator<O> {
    return this.#chunks(input, options, {})
  }

  #chunks(input: I, options: Partial<RunnableConfig> | undefined, door: Door): AsyncGenerator<O> {
    return this._transformStreamWithConfig(
      once(input),
      (inputs, run, config) => this.#streamed(inputs, patchConfig(config, run && { callbacks: run.getChild() }), door),
      options as never,
    )
  }

  async *#streamed(inputs: AsyncGenerator<I>, child: Partial<RunnableConfig>, door: Door): AsyncGenerator<O> {
    const within = inContext(child)
    for await (const input of inputs) {
      const stream = this.#guard.stream<O, I>(
        async (attempt) => {
          const model = (await modelOf(attempt)) as AnyRunnable<I, O>
          // Within a graph tokens go out by callbacks too, and a chain may hold back what a model of it has emitted.
          const added = { callbacks: committing(attempt.commit), ...signalOf(attempt, child.signal) }
          return within(() => model.stream(attempt.input, mergeConfigs(child, added)))
        },
        this.#options(input, child),
      )
      door.leave = () => stream.return()
      let first = true
      for await (const chunk of stream) {
        // Of one chunk alone: what is written into several would be joined with them.
        if (first) sayServed(chunk, await stream.opened)
        first = false
        yield chunk
      }
    }
  }

  #options(input: I, config: Partial<RunnableConfig> | undefined): CallOptions<ChainLink, I> {
    return { ...toldOfCall(this.#call, input, 'heedRunnable'), abortSignal: config?.signal, input }
  }
}

/** How the consumer of a stream leaves it from outside. */
interface Door {
  leave?: () => Promise<unknown>
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value
}
