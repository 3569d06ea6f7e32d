import { describe, test } from 'vitest'
import type { HostDriver } from './host.ts'
import type { Line } from './scenario.ts'
import { abortLines } from './scenarios/aborts.ts'
import { consumerLines } from './scenarios/consumers.ts'
import { crowdLines } from './scenarios/crowds.ts'
import { layerLines, pauseLines } from './scenarios/layers.ts'
import { lossScenarios } from './scenarios/losses.ts'
import { refusalScenarios } from './scenarios/refusals.ts'
import { streamFaultScenarios } from './scenarios/stream-faults.ts'
import { playScenario } from './table.ts'

/** Runs the table of all hosts on one of them. */
export function describeHost(driver: HostDriver): void {
  const lines: readonly Line[] = [
    ...[...refusalScenarios, ...lossScenarios, ...streamFaultScenarios].map(
      (scenario): Line => [scenario.name, () => playScenario(driver, scenario)],
    ),
    ...abortLines(driver),
    ...consumerLines(driver),
    ...pauseLines(driver),
    ...crowdLines(driver),
    ...layerLines(driver),
  ]
  const { cannot = {}, differs = {} } = driver
  const unknown = [...Object.keys(cannot), ...Object.keys(differs)].filter(
    (name) => !lines.some(([known]) => known === name),
  )
  if (unknown.length > 0) throw new TypeError(`${driver.name} speaks of scenarios that do not exist: ${unknown.join()}`)

  describe(driver.name, () => {
    for (const [name, play] of lines) if (cannot[name] === undefined) test(name, play)
  })
}
