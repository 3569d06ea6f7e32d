import type { RunnableConfig } from '@langchain/core/runnables'
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons'

/**
 * Keeps the graph that a call is of: whatever asks LangGraph for its run (`interrupt()`, the current task, a tracer)
 * finds it by asynchronous context, and an attempt after a wait is begun by a timer that many calls share.
 *
 * @returns What runs a function in the context of now, or of `config` where one is given.
 */
export function inContext(config?: RunnableConfig): <T>(run: () => T) => T {
  const graph = config ?? (AsyncLocalStorageProviderSingleton.getRunnableConfig() as RunnableConfig | undefined)
  return (run) => (graph === undefined ? run() : AsyncLocalStorageProviderSingleton.runWithConfig(graph, run))
}
