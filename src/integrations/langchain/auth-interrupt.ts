import type { RunnableConfig } from '@langchain/core/runnables'
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons'
import type { Candidate } from '../../core/candidate.ts'
import { isHeedError } from '../../errors.ts'
import type { Guard } from '../../heed.ts'
import type { HeedOptions } from '../../options.ts'

/** What LangGraph's `interrupt()` is raised with where a credential must be renewed. Holds ids, never a credential. */
export interface AuthInterrupt {
  /** Tells it from other interrupts of the graph. */
  readonly type: 'auth_required'
  /** Whose credential was refused. */
  readonly provider: string
  /** Ids of the refused credentials; empty where the candidate lists none. */
  readonly refused: readonly string[]
}

/** What a graph says of the run that is under way. */
export interface GraphRuntime {
  readonly interrupt?: ((value: never) => unknown) | undefined
}

/** How a call at a blocked provider behaves: `'pause'` waits in process, `'interrupt'` lets the graph be resumed. */
export type OnAuthRequired = 'pause' | 'interrupt'

/** @throws TypeError naming the fix. */
export function mustSayWhoWaits(onAuthRequired: unknown): void {
  if (onAuthRequired === 'pause' || onAuthRequired === 'interrupt') return
  throw new TypeError("heed: onAuthRequired: give 'pause' or 'interrupt'")
}

/** Nobody waits in process where the graph itself is what waits. */
export function withoutPause<C extends Candidate>(options: HeedOptions<C>): HeedOptions<C> {
  const { auth } = options
  return {
    ...options,
    auth: (context) => {
      const step = typeof auth === 'function' ? auth(context) : 'pause'
      return step === 'pause' ? 'surface' : step
    },
  }
}

/** Most interrupted runs that are remembered: some are never resumed, and nobody says so. */
const MOST_RUNS = 10_000

/**
 * Asks the human behind a graph where heed would wait for one in process.
 *
 * `interrupt()` leaves the node and, once it is resumed, runs it again from its start, where each `interrupt()` is given
 * its answer again, in order. The marks need no answer twice: what was applied once is skipped then. They are in memory,
 * so in another process all answers are applied again, in the order in which they were given.
 */
export class AuthInterrupts {
  /**
   * Answers applied, by the node's run: kept while that run is interrupted again, those of the last runs. A run that is
   * forgotten has its answers applied again, as in another process.
   */
  readonly #applied = new Map<string | undefined, number>()

  /** Runs a call, asking as often as a credential is refused that somebody can renew. */
  async run<T>(
    guard: Guard<Candidate>,
    chain: readonly Candidate[],
    graph: GraphRuntime,
    ask: () => Promise<T>,
  ): Promise<T> {
    const node = nodeUnderWay()
    let stale = this.#applied.get(node) ?? 0
    for (;;) {
      try {
        const value = await ask()
        this.#applied.delete(node)
        return value
      } catch (error) {
        const prompt = promptBehind(error, guard, chain)
        if (prompt === undefined || graph.interrupt === undefined) {
          if (!isInterrupt(error)) this.#applied.delete(node)
          throw error
        }
        for (; stale > 0; stale -= 1) graph.interrupt(prompt as never)
        const answer = graph.interrupt(prompt as never)
        this.#note(node)
        if (isNo(answer)) guard.auth.decline(prompt.provider, reasonOf(answer))
        else guard.auth.resolve(prompt.provider)
      }
    }
  }

  #note(node: string | undefined): void {
    if (node === undefined) return
    const before = this.#applied.get(node) ?? 0
    // Set anew it is the youngest.
    this.#applied.delete(node)
    this.#applied.set(node, before + 1)
    if (this.#applied.size > MOST_RUNS) this.#applied.delete(this.#applied.keys().next().value)
  }
}

/** Names the run of a node, the same when it is run again. LangChain hands it to middleware only from 1.2 on. */
function nodeUnderWay(): string | undefined {
  const { configurable } = Object(AsyncLocalStorageProviderSingleton.getRunnableConfig()) as RunnableConfig
  const node: unknown = configurable?.['checkpoint_ns']
  return typeof node === 'string' ? node : undefined
}

/** The prompt that a call surfaced for: of one of its own providers, and not answered with a no. */
function promptBehind(
  error: unknown,
  { auth }: Guard<Candidate>,
  chain: readonly Candidate[],
): AuthInterrupt | undefined {
  if (!isHeedError(error) || error.class !== 'auth_required') return undefined
  const pending = auth.pending()
  for (const { provider } of chain) {
    const prompt = pending.find((each) => each.blocking && each.provider === provider)
    if (prompt !== undefined) return { type: 'auth_required', provider, refused: prompt.refused }
  }
  return undefined
}

/** `false`, or `{ declined: true, reason }`; whatever else the graph is resumed with says that it is done. */
function isNo(answer: unknown): boolean {
  return answer === false || (Object(answer) as { readonly declined?: unknown }).declined === true
}

function reasonOf(answer: unknown): string | undefined {
  const { reason } = Object(answer) as { readonly reason?: unknown }
  return typeof reason === 'string' ? reason : undefined
}

function isInterrupt(error: unknown): boolean {
  return (Object(error) as { readonly is_bubble_up?: unknown }).is_bubble_up === true
}
