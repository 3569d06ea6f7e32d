import type { ChatOpenAI } from '@langchain/openai'
import type { HealthEventName, HealthEvents } from 'heed'
import type { HeedModels } from 'heed/integrations/langchain'
import { inOrder, type ProviderServer, type Step, startProvider } from '../kit/provider-server.ts'

import { chat } from './hosts.ts'

/** Providers for one test, each with its steps in order, and a model for each. */
export async function onScene(
  steps: readonly (readonly Step[])[],
  play: (scene: {
    readonly servers: readonly ProviderServer[]
    readonly models: readonly ChatOpenAI[]
  }) => Promise<void>,
  made: typeof chat = chat,
): Promise<void> {
  const servers = await Promise.all(steps.map((each) => startProvider(inOrder(...each))))
  try {
    const models = servers.map(({ url }, at) => made({ id: '', provider: '', model: `model-${at}`, baseUrl: url }))
    await play({ servers, models })
  } finally {
    await Promise.all(servers.map((server) => server.close()))
  }
}

/** Events of one name, kept as they come. */
export function heard<N extends HealthEventName>({ health }: Pick<HeedModels, 'health'>, name: N): HealthEvents[N][] {
  const events: HealthEvents[N][] = []
  health.on(name, (event) => events.push(event as HealthEvents[N]))
  return events
}

/** What a promise is rejected with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('it was not rejected')
}

/** What an agent is asked. */
export const HELLO = { messages: [{ role: 'user' as const, content: 'Hello' }] }
