import { heedMcp, type McpOptions } from 'heed/integrations/mcp'
import { surface } from 'heed/strategies/auth/surface'
import { constant } from 'heed/strategies/backoff/constant'
import { afterEach, expect } from 'vitest'
import { serves } from './steps.ts'
import { type Step, startToolServer, type ToolServer, type Transport } from './tool-server.ts'

const running: ToolServer[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()))
})

/** Starts a server that the test's end stops. */
export async function start(transport: Transport, ...steps: readonly Step[]): Promise<ToolServer> {
  const server = await startToolServer(transport, steps)
  running.push(server)
  return server
}

/** No waits, and nobody to sign in. */
export const quick = { backoff: constant(0), auth: surface } satisfies Partial<McpOptions>

/** A replica that fails as told and one that serves, and a guard over both that counts its attempts. */
export async function pair(transport: Transport, steps: readonly Step[], options: Partial<McpOptions> = {}) {
  const [one, two] = [await start(transport, ...steps), await start(transport, serves('two'))]
  const candidates = [
    { id: 'one', client: one.client },
    { id: 'two', client: two.client },
  ]
  const tools = heedMcp({ candidates, ...quick, ...options })
  const attempts = { one: 0, two: 0 }
  tools.health.on('attempt', ({ candidate }) => {
    attempts[candidate as 'one' | 'two'] += 1
  })
  const runs = (): readonly number[] => {
    expect({ one: one.runs(), two: two.runs() }).toEqual(attempts)
    return [one.runs(), two.runs()]
  }
  return { one, two, tools, runs }
}

/** What a call was rejected with. */
export const caught = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.unreachable('it was served'),
    (error: unknown) => error,
  )
