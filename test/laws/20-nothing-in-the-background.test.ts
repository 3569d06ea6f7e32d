import { getEventListeners } from 'node:events'
import fc from 'fast-check'
import { type Candidate, heed } from 'heed'
import { expect } from 'vitest'
import { leave, leavingOf } from './left-stream.ts'
import { chain, failing, guardOptions, said, scenarioOf, step, streamStep } from './support/arbitraries.ts'
import { drive } from './support/drive.ts'
import { thrown } from './support/failure.ts'
import { law } from './support/law.ts'
import { systemTimers } from './system-timers.ts'

const hang = fc.constant({ does: 'hang' as const })
const unary = fc.oneof({ weight: 6, arbitrary: step }, { weight: 1, arbitrary: hang })
const streamed = fc.oneof(
  { weight: 3, arbitrary: streamStep },
  { weight: 1, arbitrary: streamStep.map((each) => ({ ...each, ends: 'hang' as const })) },
  { weight: 1, arbitrary: failing(said) },
  { weight: 1, arbitrary: hang },
)

law('20 Nothing in the background: no timer, task or listener outlives the calls', {
  given: fc
    .constantFrom('settle' as const, 'execute' as const, 'stream' as const)
    .chain((via) => scenarioOf({ steps: via === 'stream' ? streamed : unary, via }))
    .map((scenario) => ({
      ...scenario,
      guards: scenario.guards.map((guard) => ({
        ...guard,
        options: { ...guard.options, timeoutMs: guard.options.timeoutMs || 90_000, idleTimeoutMs: 1_000 },
      })),
      // A call may take the deadline away again; then nothing would end what hangs.
      calls: scenario.calls.map((call) => (call.timeoutMs === 0 ? { ...call, timeoutMs: 7_000 } : call)),
    })),
  holds: async (scenario, see) => {
    const { log, clock, heedTimers, signals } = await drive(scenario)
    expect(heedTimers()).toBe(0)
    for (const signal of signals) {
      if (signal === undefined) continue
      see('a signal')
      expect(getEventListeners(signal, 'abort')).toEqual([])
    }
    // What an invocation that was cut still does, and what humans say, is not heed's doing.
    const heeds = (): number =>
      log.filter(({ type }) => type === 'event' || type === 'invoked' || type === 'item').length
    const answered = (): number =>
      log.filter((entry) => entry.type === 'event' && (entry.name === 'auth_resolved' || entry.name === 'recovered'))
        .length
    const before = heeds() - answered()
    await clock.advance(3_600_000)
    expect(heeds() - answered()).toBe(before)
    expect(heedTimers()).toBe(0)
    for (const entry of log) {
      if (entry.type === 'event') see(entry.name)
      if (entry.type === 'event' && entry.name === 'failure' && entry.event.found !== undefined) see(entry.event.found)
      if (entry.type === 'closed') see('a source that was closed')
    }
  },
  mustSee: [
    ...['a signal', 'retry', 'pause', 'resume', 'reduce', 'commit', 'surface', 'a source that was closed'],
    ...['aborted', 'attempt_timeout', 'idle_timeout', 'timeout', 'incomplete_stream'],
  ],
})

law('20 Nothing in the background: a stream that its consumer left leaves nothing either', {
  given: leavingOf(streamed),
  holds: async (leaving, see) => {
    const { log, ...left } = await leave(leaving)
    expect(left).toEqual({ timers: 0, listeners: 0, invokedLater: 0, open: 0 })
    // Each call ends in exactly one of the two.
    expect(log.filter((entry) => entry.type === 'event')).toHaveLength(1)
    see(leaving.by)
    if (log.some((entry) => entry.type === 'closed')) see(`${leaving.by}: closed`)
  },
  mustSee: ['return', 'cancel', 'forgetting', 'return: closed', 'cancel: closed'],
})

law("20 Nothing in the background: none of the process's own timers is left, whatever was waited for", {
  given: fc.record({
    candidates: chain,
    options: guardOptions,
    script: fc.array(said, { minLength: 1, maxLength: 6 }),
  }),
  holds: async ({ candidates, options, script }, see) => {
    const timers = systemTimers()
    try {
      const guard = heed<Candidate>({ ...options, candidates, timeoutMs: options.timeoutMs || 30_000 })
      const controller = new AbortController()
      let turn = 0
      const work = guard.settle(
        () => {
          const failure = script[turn]
          turn += 1
          if (failure === undefined) return 'answer'
          throw thrown(failure)
        },
        { abortSignal: controller.signal },
      )
      // Whatever it does at once it has done by then; what it waits for is given up.
      await new Promise(setImmediate)
      if (timers.alive() > 0) see('waiting')
      controller.abort()
      await work
      expect(timers.alive()).toBe(0)
      if (timers.made() > 0) see('timers made')
    } finally {
      timers.restore()
    }
  },
  mustSee: ['waiting', 'timers made'],
})
