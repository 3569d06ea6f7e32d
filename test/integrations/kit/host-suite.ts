import { describe, test } from 'vitest'
import type { HostDriver } from './host.ts'
import { lossScenarios } from './scenarios/losses.ts'
import { refusalScenarios } from './scenarios/refusals.ts'
import { streamFaultScenarios } from './scenarios/stream-faults.ts'
import { playScenario } from './table.ts'

/** Runs the table of all hosts on one of them. */
export function describeHost(driver: HostDriver): void {
  const lines = [...refusalScenarios, ...lossScenarios, ...streamFaultScenarios].map(
    (scenario) => [scenario.name, () => playScenario(driver, scenario)] as const,
  )
  const { cannot = {}, differs = {} } = driver
  const unknown = [...Object.keys(cannot), ...Object.keys(differs)].filter(
    (name) => !lines.some(([known]) => known === name),
  )
  if (unknown.length > 0) throw new TypeError(`${driver.name} speaks of scenarios that do not exist: ${unknown.join()}`)

  describe(driver.name, () => {
    for (const [name, play] of lines) if (cannot[name] === undefined) test(name, play)
  })
}
