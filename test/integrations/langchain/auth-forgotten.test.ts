import { AsyncLocalStorage } from 'node:async_hooks'
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons'
import { HeedError } from 'heed'
import { expect, test } from 'vitest'
import { AuthInterrupts } from '../../../src/integrations/langchain/auth-interrupt.ts'

const chain = [{ id: 'm', provider: 'acme' }]
const refused = new HeedError({ reason: 'auth_required', class: 'auth_required', attempts: [] })

// As LangGraph does when it is loaded.
AsyncLocalStorageProviderSingleton.initializeGlobalInstance(new AsyncLocalStorage())

/** A run of a node that is answered once and then interrupted again; answers how often the provider was resolved. */
async function interruptedAgain(interrupts: AuthInterrupts, node: string): Promise<number> {
  let [resolved, raised] = [0, 0]
  const auth = {
    pending: () => [{ provider: 'acme', blocking: true, refused: [] }],
    resolve: () => {
      resolved += 1
    },
  }
  const graph = {
    interrupt: () => {
      raised += 1
      if (raised > 1) throw Object.assign(new Error('interrupted'), { is_bubble_up: true })
      return true
    },
  }
  const run = (): Promise<unknown> =>
    interrupts.run({ auth } as never, chain, graph, () => Promise.reject(refused)).catch(() => undefined)
  await AsyncLocalStorageProviderSingleton.runWithConfig({ configurable: { checkpoint_ns: node } }, run)
  return resolved
}

test('runs that are interrupted and never resumed are forgotten, the oldest first', async () => {
  const interrupts = new AuthInterrupts()
  expect(await interruptedAgain(interrupts, 'kept')).toBe(1)
  expect(await interruptedAgain(interrupts, 'kept')).toBe(0)
  expect(await interruptedAgain(interrupts, 'left')).toBe(1)
  for (let run = 0; run < 10_000; run += 1) await interruptedAgain(interrupts, String(run))
  expect(await interruptedAgain(interrupts, 'left')).toBe(1)
})
