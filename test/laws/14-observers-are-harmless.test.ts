import fc from 'fast-check'
import { expect } from 'vitest'
import { addHostile, EVENT_NAMES, faultsOf, hostilities } from './hostile-listeners.ts'
import { scenarioOf, step, streamStep } from './support/arbitraries.ts'
import { drive } from './support/drive.ts'
import { law } from './support/law.ts'
import { type Entry, events } from './support/log.ts'

const CALL_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=-\d)/g

/** The log as text that two runs of the same scenario have in common: call ids by order of appearance. */
function told(log: readonly Entry[]): readonly string[] {
  const names = new Map<string, string>()
  return log
    .filter((entry) => entry.type !== 'event' || entry.name !== 'listener_fault')
    .map((entry) =>
      JSON.stringify(entry, (key, value: unknown) => {
        // A policy is the guard's, frozen, and mostly functions.
        if (key === 'policy') return undefined
        if (value === Number.POSITIVE_INFINITY) return 'Infinity'
        return value instanceof Error ? { ...value, message: value.message } : value
      }).replaceAll(CALL_ID, (id) => {
        const name = names.get(id) ?? `guard ${names.size}`
        names.set(id, name)
        return name
      }),
    )
}

const given = fc.record({
  scenario: fc.oneof(
    scenarioOf({ steps: step, maxCalls: 3 }),
    scenarioOf({ steps: step, via: 'execute', maxCalls: 3 }),
    scenarioOf({ steps: streamStep, via: 'stream', maxCalls: 3 }),
  ),
  hostile: hostilities,
})

law('14 Observers are harmless: listeners that throw, reject, hang or mutate change nothing and stop no other', {
  given,
  holds: async ({ scenario, hostile }, see) => {
    const alone = told((await drive(scenario)).log)
    const { log } = await drive(scenario, {
      prepare: (health) => {
        for (const name of EVENT_NAMES) addHostile(health, name, hostile)
      },
    })
    // The listeners of the driver come after the hostile ones: what it wrote down is what they heard.
    expect(told(log)).toEqual(alone)
    for (const kind of hostile) see(kind)

    const faults = events(log, 'listener_fault')
    for (const name of EVENT_NAMES) {
      if (name === 'listener_fault') continue
      const heard = events(log, name).length
      if (heard > 0) see(name)
      const faultsTold = faults.filter((fault) => fault.listenedTo === name).length
      expect({ name, faultsTold }).toEqual({ name, faultsTold: heard * faultsOf(hostile) })
    }
  },
  mustSee: [
    // No store is shared here that could fail.
    ...EVENT_NAMES.filter((name) => name !== 'listener_fault' && name !== 'recovered' && !name.startsWith('store_')),
    ...['throws', 'rejects', 'hangs', 'mutates', 'leaves', 'joins', 'answers a bad thenable'],
  ],
})
