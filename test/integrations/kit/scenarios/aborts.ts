import { expect } from 'vitest'
import { fakeClock } from '../../../../src/testing/fake-clock.ts'
import type { HostDriver, HostOptions } from '../host.ts'
import { inOrder, type Step } from '../provider-server.ts'
import { refusals } from '../refusals.ts'
import type { Line, Scenario } from '../scenario.ts'
import { textOf } from '../send.ts'
import { onStage, type Stage, until, WALL_MS } from '../stage.ts'
import { refuse, stallBeforeHeaders, stallMidway } from '../steps.ts'
import { type Consumed, consume } from '../table.ts'

/** A moment of a call at which its caller aborts. */
interface Phase {
  readonly name: string
  readonly asks: readonly Scenario['asks'][]
  readonly step: (driver: HostDriver) => Step
  readonly options?: HostOptions
  /** Whether the moment has come. */
  readonly come: (stage: Stage, got: Consumed) => boolean
  readonly requests: number
  /** Whether a request is open, which the server must see given up. */
  readonly open: boolean
  readonly text?: string
}

const phases: readonly Phase[] = [
  {
    name: 'an abort before the start',
    asks: ['unary', 'stream'],
    step: () => stallBeforeHeaders,
    come: () => true,
    requests: 0,
    open: false,
  },
  {
    name: 'an abort while the call waits',
    asks: ['unary', 'stream'],
    step: ({ dialect }) => refuse(refusals[dialect].transient),
    options: { backoff: () => 1_000 },
    come: ({ of }) => of('retry').length === 1,
    requests: 1,
    open: false,
  },
  {
    name: 'an abort before the headers',
    asks: ['unary', 'stream'],
    step: () => stallBeforeHeaders,
    come: ({ counted }) => counted()[0] === 1,
    requests: 1,
    open: true,
  },
  {
    name: 'an abort before the first token',
    asks: ['stream'],
    step: () => stallMidway({}),
    come: ({ servers: [a] }) => a.requests[0]?.begun === true,
    requests: 1,
    open: true,
  },
  {
    name: 'an abort after content',
    asks: ['stream'],
    step: () => stallMidway({ afterTokens: 2 }),
    come: (_stage, { text }) => text.length >= textOf(2).length,
    requests: 1,
    open: true,
    text: textOf(2),
  },
]

/** The caller's abort at every phase of a call: it settles with the caller's reason, and the request is given up. */
export function abortLines(driver: HostDriver): readonly Line[] {
  return phases.flatMap((phase) =>
    phase.asks.map((asks): Line => [`${phase.name}, ${asks}`, () => play(driver, phase, asks)]),
  )
}

async function play(driver: HostDriver, phase: Phase, asks: Scenario['asks']): Promise<void> {
  const clock = fakeClock({ wallMs: WALL_MS })
  const a = inOrder(phase.step(driver))
  await onStage(driver, { a, b: a, clock, options: phase.options ?? {} }, async (stage) => {
    const { host, servers, of, counted, attempted } = stage
    const controller = new AbortController()
    const reason = new Error('the caller has changed its mind')
    const got: Consumed = { text: '', failed: false, error: undefined }
    const early = phase.requests === 0
    if (early) controller.abort(reason)
    const consumed = consume(host, asks, got, undefined, { abortSignal: controller.signal })
    await until(() => got.failed || phase.come(stage, got))
    controller.abort(reason)
    await consumed
    expect(got.text).toBe(phase.text ?? '')
    expect(got.failed, 'whether the consumer was told of the abort').toBe(true)
    if (driver.ownAbortError === undefined) expect(causesOf(got.error)).toContain(reason)
    else expect(causesOf(got.error).some((each) => each === reason || isAbort(each))).toBe(true)
    if (phase.open) {
      const request = await servers[0].arrived(1)
      await request.over
      expect(request.left, 'whether the server saw the client leave').toBe(true)
    }
    expect(counted()).toEqual([phase.requests, 0])
    expect(attempted()).toEqual(counted())
    // A host may notice by itself that it need not begin.
    if (!early) expect(of('surface').map((event) => event.reason)).toEqual(['aborted'])
    expect(clock.pendingTimers).toBe(0)
  })
}

function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = []
  for (let at = error; at !== undefined && at !== null && causes.length < 10; at = (at as { cause?: unknown }).cause) {
    causes.push(at)
  }
  return causes
}

/** An abort in the words of the platform, or of the SDKs. */
function isAbort(error: unknown): boolean {
  const { name } = error as { readonly name?: unknown }
  return name === 'AbortError' || (error as object).constructor?.name === 'APIUserAbortError'
}
