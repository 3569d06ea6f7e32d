import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import { caught, pair } from './pair.ts'
import { hangs, progressesAndHangs, says, serves } from './steps.ts'
import type { Step, Transport } from './tool-server.ts'
import { until } from './until.ts'

describe.each<Transport>(['memory', 'http'])('over %s', (transport) => {
  test('a tool that threw is repeated only where it is idempotent', async () => {
    const step: Step = () => {
      throw new Error('half way through')
    }
    const { tools, runs } = await pair(transport, [step], { idempotent: (tool) => tool === 'put' })
    expect(await caught(tools.callTool({ name: 'charge' }))).toMatchObject({ code: ErrorCode.InternalError })
    expect(runs()).toEqual([1, 0])
    expect(await tools.callTool({ name: 'put' })).toEqual(says('two'))
    expect(runs()).toEqual([4, 1])
  })

  test('a request that timed out is repeated only where the tool is idempotent', async () => {
    const { one, tools, runs } = await pair(transport, [hangs, progressesAndHangs], {
      idempotent: (tool) => tool === 'put',
    })
    const error = await caught(tools.callTool({ name: 'charge' }, undefined, { timeout: 5 }))
    expect(error).toBeInstanceOf(McpError)
    expect(error).toMatchObject({ code: ErrorCode.RequestTimeout, data: { timeout: 5 } })
    await until(() => one.cancelled() === 1)
    expect(runs()).toEqual([1, 0])

    // A limit that is over before it begins: the SDK finds that out at the first progress.
    const request = { onprogress: () => {}, resetTimeoutOnProgress: true, maxTotalTimeout: -1 }
    expect(await tools.callTool({ name: 'put' }, undefined, request)).toEqual(says('two'))
    expect(runs()).toEqual([4, 1])
  })

  test('a result that breaks the output schema came from a tool that has run', async () => {
    const { one, tools, runs } = await pair(transport, [
      () => ({ ...says('3'), structuredContent: { sum: 'three' } }),
      serves('no structured content'),
    ])
    await one.client.listTools()
    expect(await caught(tools.callTool({ name: 'typed' }))).toMatchObject({ code: ErrorCode.InvalidParams })
    expect(await caught(tools.callTool({ name: 'typed' }))).toMatchObject({ code: ErrorCode.InvalidRequest })
    expect(runs()).toEqual([2, 0])
  })

  test('a connection closed while the tool runs is not repeated', async () => {
    const { one, tools, runs } = await pair(transport, [hangs])
    const call = caught(tools.callTool({ name: 'charge' }))
    await until(() => one.runs() === 1)
    await one.client.close()
    expect(await call).toMatchObject({ code: ErrorCode.ConnectionClosed })
    expect(runs()).toEqual([1, 0])
  })

  test('a client that is not connected has sent nothing', async () => {
    const { one, tools } = await pair(transport, [serves('one')])
    await one.client.close()
    const outcome = await tools.settleTool({ name: 'charge' })
    expect(outcome).toMatchObject({ status: 'completed', value: says('two'), served: { candidate: { id: 'two' } } })
    expect(outcome.attempts.map((each) => `${each.candidate} ${each.class}`)).toEqual([
      ...Array(3).fill('one transient'),
      'two undefined',
    ])
    expect(one.runs()).toBe(0)
  })
})
