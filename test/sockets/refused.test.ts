import { heed } from 'heed'
import { Agent } from 'undici'
import { expect, test } from 'vitest'
import { type Client, clients } from './clients.ts'
import { answers, loopback } from './loopback.ts'
import { networkProducer } from './network-producer.ts'

test.each(Object.entries(clients))(
  'undici %s: a refused connection moves on, for it was never sent',
  async (_name, client: Client) => {
    const [closed, server] = [await loopback([]), await loopback([answers('open')])]
    await closed.close()
    const dispatcher = new Agent()
    const guard = heed({
      candidates: [
        { id: 'closed', provider: 'one', url: closed.url },
        { id: 'open', provider: 'two', url: server.url },
      ],
      producer: networkProducer,
      attempts: { perTarget: 1 },
    })
    const outcome = await guard.settle(({ candidate, abortSignal }) =>
      client({ url: candidate.url, signal: abortSignal, dispatcher }),
    )
    expect(outcome).toMatchObject({ status: 'completed', value: 'open' })
    expect(outcome.attempts.map((attempt) => [attempt.candidate, attempt.class])).toEqual([
      ['closed', 'transient'],
      ['open', undefined],
    ])
    expect(server.requests).toBe(1)
    await dispatcher.destroy()
    await server.close()
  },
)
