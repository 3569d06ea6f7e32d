import { Agent, type Model, retryPolicies } from '@openai/agents-core'
import { type HeedModel, heedModel, heedRetryPolicy, type ModelCandidate } from 'heed/integrations/openai-agents'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { leapingClock } from '../../replay/leaping-clock.ts'
import type { DialectName } from '../kit/dialect.ts'
import { inOrder, type ProviderServer, startProvider } from '../kit/provider-server.ts'
import { refusals } from '../kit/refusals.ts'
import { WALL_MS } from '../kit/stage.ts'
import { refuse } from '../kit/steps.ts'
import { modelAt, runner } from './host-of.ts'

/** Three repeats of everything that the runner's own layer can be told to repeat. */
const policies = {
  'any status': retryPolicies.httpStatus([503]),
  'network errors': retryPolicies.networkError(),
  'whatever has a hint': retryPolicies.retryAfter(),
  'what the model suggests': retryPolicies.providerSuggested(),
  'the class': heedRetryPolicy({ backoff: () => 0 }),
  'any of them': retryPolicies.any(
    retryPolicies.httpStatus([503]),
    retryPolicies.retryAfter(),
    retryPolicies.providerSuggested(),
  ),
}

describe.each(['chat', 'responses'] as const)('retry layers on top of each other, %s', (dialect: DialectName) => {
  let dead: ProviderServer

  beforeEach(async () => {
    const { transient } = refusals[dialect]
    dead = await startProvider(inOrder(refuse({ ...transient, headers: { 'retry-after': '1' } })))
  })

  afterEach(() => dead.close())

  const options = () => ({ clock: leapingClock(WALL_MS), random: () => 0, backoff: () => 0 })
  const heedOver = (candidate: Model | ModelCandidate): HeedModel =>
    heedModel({ ...options(), candidates: [candidate] })
  const asked = (): Model => modelAt({ baseUrl: dead.url, model: 'model-a' }, dialect)

  test('the two repeats of the client below are off', async () => {
    await expect(runner.run(new Agent({ name: 'A', model: heedOver(asked()) }), 'Hello')).rejects.toThrow('heed')
    expect(dead.requests).toHaveLength(3)
  })

  test('three layers of heed make three requests', async () => {
    const model = heedOver({ id: 'middle', model: heedOver({ id: 'inner', model: heedOver(asked()) }) })
    await expect(runner.run(new Agent({ name: 'A', model }), 'Hello')).rejects.toMatchObject({ exhausted: true })
    expect(dead.requests).toHaveLength(3)
  })

  describe.each([false, true])('streamed: %s', (stream) => {
    test.each(Object.entries(policies))('a runner that repeats %s repeats nothing of heed', async (_name, policy) => {
      const modelSettings = { retry: { maxRetries: 3, policy, backoff: { initialDelayMs: 0 } } }
      const agent = new Agent({ name: 'A', model: heedOver(asked()), modelSettings })
      const run = async (): Promise<unknown> => {
        if (!stream) return runner.run(agent, 'Hello')
        const result = await runner.run(agent, 'Hello', { stream: true })
        return result.completed
      }
      await expect(run()).rejects.toThrow('heed')
      expect(dead.requests).toHaveLength(3)
    })
  })
})
