import { expect } from 'vitest'
import type { HostDriver } from '../host.ts'
import type { Received, Script } from '../provider-server.ts'
import { type Refusals, refusals } from '../refusals.ts'
import type { Line } from '../scenario.ts'
import { onStage } from '../stage.ts'
import { answer, refuse } from '../steps.ts'

const CALLS = 200

/** A request says which call it is of, and its answer says it again. */
const callOf = (request: Received): string => /call-\d+/.exec(request.body)?.[0] ?? 'no call'
const echo = (server: string) => answer((request) => `${server} ${callOf(request)}`)

const numberOf = (call: string): number => Number(call.slice(5))

/** Many calls on one shared object while the primary is down: all are served, and nothing of one is told of another. */
export function crowdLines(driver: HostDriver): readonly Line[] {
  const down = (kind: keyof Refusals): Script => {
    const step = refuse(refusals[driver.dialect][kind] as Parameters<typeof refuse>[0])
    return () => step
  }
  const refusal = refuse(refusals[driver.dialect].permanent)
  const half: Script = (request) => (numberOf(callOf(request)) % 2 === 0 ? echo('a') : refusal)
  return [
    [`${CALLS} calls while the primary is overloaded`, () => play(driver, down('transient'), () => 'b')],
    [`${CALLS} calls while the primary refuses`, () => play(driver, down('permanent'), () => 'b')],
    [`${CALLS} calls of which the primary serves half`, () => play(driver, half, (at) => (at % 2 === 0 ? 'a' : 'b'))],
  ]
}

async function play(driver: HostDriver, a: Script, serverOf: (at: number) => 'a' | 'b'): Promise<void> {
  await onStage(driver, { a, b: () => echo('b') }, async ({ host, of, counted, attempted }) => {
    const calls = Array.from({ length: CALLS }, async (_, at) => {
      const prompt = `call-${at}`
      // Half of those that each server serves, one way and the other.
      if (at % 4 < 2) return host.unary({ prompt })
      let text = ''
      for await (const part of host.stream({ prompt })) text += part
      return text
    })
    const texts = await Promise.all(calls)
    expect(texts).toEqual(texts.map((_, at) => `${serverOf(at)} call-${at}`))

    expect(attempted()).toEqual(counted())
    const served = of('success')
    expect(new Set(served.map(({ callId }) => callId)).size).toBe(CALLS)
    for (const server of ['a', 'b'] as const) {
      const expected = texts.filter((_, at) => serverOf(at) === server)
      expect(served.filter(({ candidate }) => candidate === server)).toHaveLength(expected.length)
    }
    for (const { callId, candidate, attempts } of served) {
      const own = of('attempt').filter((event) => event.callId === callId)
      expect(own.map(({ number }) => number)).toEqual(Array.from({ length: attempts }, (_, at) => at + 1))
      expect(own.at(-1)?.candidate).toBe(candidate)
      expect(own.slice(0, -1).every((event) => event.candidate === 'a')).toBe(true)
      expect(of('failure').filter((event) => event.callId === callId)).toHaveLength(attempts - 1)
    }
    expect(of('surface')).toEqual([])
  })
}
