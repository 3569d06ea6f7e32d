import { isHeedError } from 'heed'
import { expect } from 'vitest'
import { fakeClock } from '../../../src/testing/fake-clock.ts'
import type { Ending, Host, HostCall, HostDriver } from './host.ts'
import { inOrder } from './provider-server.ts'
import { refusals } from './refusals.ts'
import type { Scenario } from './scenario.ts'
import { gate, onStage, until, WALL_MS } from './stage.ts'
import { answer } from './steps.ts'

/** What a consumer got, and what it was told. */
export interface Consumed {
  text: string
  failed: boolean
  error: unknown
}

/** Plays one line of the table and holds it to its ending. */
export async function playScenario(driver: HostDriver, scenario: Scenario): Promise<void> {
  const ends: Ending = { ...scenario.ends, ...driver.differs?.[scenario.name]?.expect }
  const read = gate()
  const props = { dialect: driver.dialect, refusals: refusals[driver.dialect], read: read.opened }
  const clock = scenario.passMs === undefined ? undefined : fakeClock({ wallMs: WALL_MS })
  const setting = {
    a: inOrder(...scenario.a(props)),
    b: inOrder(...(scenario.b?.(props) ?? [answer('from b')])),
    ...(scenario.windows === undefined ? undefined : { windows: scenario.windows }),
    ...(scenario.options === undefined ? undefined : { options: scenario.options }),
    ...(clock === undefined ? undefined : { clock }),
  }
  await onStage(driver, setting, async ({ host, servers, of, counted, attempted }) => {
    const got: Consumed = { text: '', failed: false, error: undefined }
    let over = false
    const consumed = consume(host, scenario.asks, got, () => {
      if (got.text.length >= ends.text.length) read.open()
    }).then(() => {
      over = true
    })
    if (clock !== undefined) {
      await servers[0].arrived(1)
      const silence = scenario.options?.idleTimeoutMs !== undefined
      const chars = silence ? ends.text.length : 0
      await until(() => over || (clock.pendingTimers > 0 && got.text.length >= chars))
      await clock.advance(scenario.passMs ?? 0)
      // A silence counts from when the host reads on, which nobody outside can see.
      while (silence && !over) await clock.advance(scenario.passMs ?? 0)
    }
    await consumed
    if (clock !== undefined) {
      const stalled = await servers[0].arrived(1)
      await stalled.over
      expect(stalled.left, 'whether the server saw the stalled request given up').toBe(true)
    }
    expectEnding(got, ends)
    expect(counted(), 'requests that the servers counted').toEqual(ends.requests)
    expect(attempted(), 'attempts that the health channel told of').toEqual(counted())
    expect(of('surface').map(({ reason, class: stated }) => ({ reason, class: stated }))).toEqual(
      ends.surface === undefined ? [] : [{ class: undefined, ...ends.surface }],
    )
    expect(of('success')).toHaveLength(ends.surface === undefined ? 1 : 0)
    if (ends.waitedMs !== undefined) expect(of('attempt').map(({ waitedMs }) => waitedMs)).toEqual(ends.waitedMs)
  })
}

/** Consumes an answer to its end, and keeps what it was told. */
export async function consume(
  host: Host,
  asks: Scenario['asks'],
  got: Consumed,
  heard: () => void = () => undefined,
  call: HostCall = {},
): Promise<void> {
  try {
    if (asks === 'unary') got.text = await host.unary(call)
    else {
      heard()
      for await (const text of host.stream(call)) {
        got.text += text
        heard()
      }
    }
  } catch (error) {
    got.failed = true
    got.error = error
  }
}

const AS_IT_CAME = ['ambiguous', 'committed', 'unclassified', 'unknown_class', 'aborted']

function expectEnding(got: Consumed, { text, surface, ownError }: Ending): void {
  if (got.failed && surface === undefined) throw got.error
  expect(got.text, 'what the consumer got').toBe(text)
  expect(got.failed, 'whether the consumer was told of a failure').toBe(surface !== undefined)
  if (surface === undefined || ownError === true) return
  const own = heedErrorIn(got.error)
  if (AS_IT_CAME.includes(surface.reason)) expect(own, 'a failure that surfaces as it came').toBeUndefined()
  else expect(own).toMatchObject(surface)
}

/** heed's error in what the host threw: itself, or along its causes. */
export function heedErrorIn(error: unknown): unknown {
  for (let at = error, depth = 0; depth < 10 && at !== undefined && at !== null; depth += 1) {
    if (isHeedError(at)) return at
    at = (at as { cause?: unknown }).cause
  }
  return undefined
}
