import { startProvider } from './provider.mjs'

/**
 * Starts a provider for every provider that a chain names, and answers the chain as candidates that point at them.
 *
 * @param {readonly { provider: string, model: string, dialect: 'openai' | 'anthropic', script: Function, contextWindow?: number }[]} chain
 */
export async function startFleet(chain) {
  const providers = new Map()
  for (const { provider, dialect } of chain) {
    if (providers.has(provider)) continue
    const models = Object.fromEntries(
      chain.filter((each) => each.provider === provider).map((m) => [m.model, m.script]),
    )
    providers.set(provider, await startProvider({ id: provider, dialect, models }))
  }
  const running = [...providers.values()]

  return {
    candidates: chain.map(({ script: _, ...described }) => ({
      id: `${described.provider}/${described.model}`,
      ...described,
      baseUrl: providers.get(described.provider).baseUrl,
    })),
    /** What the servers saw, in the order of arrival. */
    requests: () => running.flatMap((provider) => provider.requests).sort((a, b) => a.atMs - b.atMs),
    close: async () => {
      await Promise.all(running.map((provider) => provider.close()))
    },
  }
}
