import { type HeedError, isHeedError } from 'heed'
import { describe, expect, test } from 'vitest'
import { type Client, clients } from './clients.ts'
import { guarded, rejection } from './guarded.ts'
import {
  answers,
  closesShort,
  closesToEnd,
  type Exchange,
  refuses,
  resetsBeforeHeaders,
  resetsInBody,
  stalls,
  stallsInBody,
} from './loopback.ts'

/** Failures on the way back: nobody can say whether the request was executed. */
const LOST = {
  'a reset before headers': resetsBeforeHeaders,
  'a reset in the body': resetsInBody('half an ans'),
  'a body shorter than promised': closesShort('half an ans'),
}

describe.each(Object.entries(clients))('undici %s', (_name, client: Client) => {
  test.each(Object.entries(LOST))('%s surfaces as it came, and is asked once', async (_lost, step) => {
    const { guard, servers, call } = await guarded([[step, answers('twice')], [answers('elsewhere')]])
    const error = await rejection(guard.execute(call(client)))
    expect(error).toBeInstanceOf(Error)
    expect(isHeedError(error)).toBe(false)
    expect(servers.map((server) => server.requests)).toEqual([1, 0])
  })

  test.each(Object.entries(LOST))('%s is asked again where the call is idempotent', async (_lost, step) => {
    const { guard, servers, call } = await guarded([[step, step, answers('third')]], { idempotent: true })
    expect(await guard.execute(call(client))).toBe('third')
    expect(servers[0]?.requests).toBe(3)
  })

  test('a stall before headers is cut by attemptTimeoutMs, which closes the socket', async () => {
    const { guard, arrived, servers, clock, call } = await guarded([[stalls], [answers('elsewhere')]], {
      attemptTimeoutMs: 5_000,
    })
    const failed = rejection(guard.execute(call(client)))
    const { gone } = await arrived()
    await clock.advance(5_000)
    expect((await failed) as HeedError).toMatchObject({ name: 'HeedError', reason: 'attempt_timeout' })
    await gone
    expect(servers[1]?.requests).toBe(0)
  })

  test('a stall in the body is cut too, and asked again where the call is idempotent', async () => {
    const { guard, arrived, clock, call } = await guarded([[stallsInBody('half'), answers('whole')]], {
      attemptTimeoutMs: 5_000,
      idempotent: true,
    })
    const served = guard.execute(call(client))
    const { gone } = await arrived()
    await clock.advance(5_000)
    expect(await served).toBe('whole')
    await gone
  })

  test('a slow start within the limit is waited for', async () => {
    const { guard, arrived, clock, call } = await guarded([[stalls]], { attemptTimeoutMs: 5_000, timeoutMs: 9_000 })
    const served = guard.execute(call(client))
    const { response } = await arrived()
    await clock.advance(4_999)
    response.end('at last')
    expect(await served).toBe('at last')
  })

  test('an end by HTTP/1.1 close is an end', async () => {
    const { guard, call } = await guarded([[closesToEnd('all of it')]])
    expect(await guard.execute(call(client))).toBe('all of it')
  })

  test('an oversized body ends the attempt and the next candidate serves', async () => {
    const endless = ({ response }: Exchange): void => {
      const more = (): boolean => response.write('x'.repeat(4_096))
      response.on('drain', more)
      more()
    }
    const { guard, arrived, call } = await guarded([[endless], [answers('short')]], {}, { maxResponseSize: 64 })
    expect(await guard.execute(call(client))).toBe('short')
    await (await arrived()).gone
  })

  test.each([
    ['headers', stalls],
    ['the body', stallsInBody('half')],
  ])("the caller's abort reaches the socket while %s are awaited", async (_what, step) => {
    const { guard, arrived, servers, call } = await guarded([[step], [answers('elsewhere')]], { idempotent: true })
    const controller = new AbortController()
    const failed = rejection(guard.execute(call(client), { abortSignal: controller.signal }))
    const { gone } = await arrived()
    const reason = { mine: true }
    controller.abort(reason)
    expect(await failed).toBe(reason)
    await gone
    expect(servers[1]?.requests).toBe(0)
  })

  test('an abort in the wait after a refusal sends nothing more', async () => {
    const step = refuses(429, { class: 'transient', retry_after_secs: 30 })
    const { guard, servers, clock, call } = await guarded([[step]])
    const controller = new AbortController()
    const waits = new Promise((resolve) => guard.health.on('retry', resolve))
    const failed = rejection(guard.execute(call(client), { abortSignal: controller.signal }))
    await waits
    controller.abort('enough')
    expect(await failed).toBe('enough')
    await clock.advance(60_000)
    expect(servers[0]?.requests).toBe(1)
  })
})
