import { getEventListeners } from 'node:events'
import { heedMcp } from 'heed/integrations/mcp'
import { constant } from 'heed/strategies/backoff/constant'
import { afterEach, describe, expect, test } from 'vitest'
import { failsWith, hangs, progresses, says, serves } from './steps.ts'
import { type Step, startToolServer, type ToolServer, type Transport } from './tool-server.ts'
import { until } from './until.ts'

const running: ToolServer[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()))
})

describe.each<Transport>(['memory', 'http'])('over %s', (transport) => {
  async function start(...steps: readonly Step[]) {
    const server = await startToolServer(transport, steps)
    running.push(server)
    const tools = heedMcp({ candidates: [{ id: 'one', client: server.client }], backoff: constant(0) })
    const controller = new AbortController()
    const { signal } = controller
    const reason = new Error('the user went away')
    const call = (): Promise<unknown> =>
      tools.callTool({ name: 'charge' }, undefined, { signal }).then(
        () => 'served',
        (error: unknown) => error,
      )
    const listeners = (): number => getEventListeners(signal, 'abort').length
    return { server, tools, call, reason, listeners, abort: () => controller.abort(reason) }
  }

  test('before the call: nothing is sent', async () => {
    const { server, call, reason, abort } = await start(serves('one'))
    abort()
    expect(await call()).toBe(reason)
    expect(server.runs()).toBe(0)
  })

  test('while the tool runs: the server is told, and the call ends with the reason', async () => {
    const { server, call, reason, listeners, abort } = await start(hangs)
    const called = call()
    await until(() => server.runs() === 1)
    abort()
    expect(await called).toBe(reason)
    await until(() => server.cancelled() === 1)
    expect(server.runs()).toBe(1)
    expect(listeners()).toBe(0)
  })

  test('while the call waits: no further run', async () => {
    const busy = failsWith({ structuredContent: { class: 'transient', retry_after_secs: 30 } })
    const { server, tools, call, reason, listeners, abort } = await start(busy)
    tools.health.on('retry', ({ delayMs }) => {
      expect(delayMs).toBeGreaterThanOrEqual(30_000)
      setImmediate(abort)
    })
    expect(await call()).toBe(reason)
    expect(server.runs()).toBe(1)
    expect(listeners()).toBe(0)
  })

  test('while the call pauses for a person: no further run', async () => {
    const { server, tools, call, reason, listeners, abort } = await start(failsWith({ _meta: { class: 'auth' } }))
    tools.health.on('pause', () => setImmediate(abort))
    expect(await call()).toBe(reason)
    expect(server.runs()).toBe(1)
    expect(listeners()).toBe(0)
  })

  test('after the call: a request that has ended is not cancelled', async () => {
    const busy = failsWith({ structuredContent: { class: 'transient' } })
    const { server, call, listeners, abort } = await start(busy, serves('one'), serves('two'))
    expect(await call()).toBe('served')
    expect(listeners()).toBe(0)
    abort()
    await server.client.ping()
    expect(server.cancelled()).toBe(0)
    expect(server.runs()).toBe(2)
  })

  test('a limit of heed reaches the server too, and the tool is not run again', async () => {
    const server = await startToolServer(transport, [hangs])
    running.push(server)
    const tools = heedMcp({ candidates: [{ id: 'one', client: server.client }], attemptTimeoutMs: 20 })
    const outcome = await tools.settleTool({ name: 'charge' })
    expect(outcome).toMatchObject({ status: 'failed', error: { reason: 'attempt_timeout' } })
    await until(() => server.cancelled() === server.runs())
    expect(server.runs()).toBeLessThanOrEqual(1)
  })

  test('progress comes through', async () => {
    const server = await startToolServer(transport, [
      async (extra) => {
        await progresses(extra, 1)
        await progresses(extra, 2)
        return says('done')
      },
    ])
    running.push(server)
    const seen: number[] = []
    const request = {
      onprogress: ({ progress }: { progress: number }) => seen.push(progress),
      resetTimeoutOnProgress: true,
    }
    const tools = heedMcp({ candidates: [{ id: 'one', client: server.client }] })
    expect(await tools.callTool({ name: 'charge' }, undefined, request)).toEqual(says('done'))
    expect(seen).toEqual([1, 2])
  })
})
