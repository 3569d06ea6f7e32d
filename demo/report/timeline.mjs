import { HEAD, lineOf, rowOf, timeOf } from './row.mjs'
import { tableLines } from './table.mjs'

const COLOURS = {
  failure: 'yellow',
  retry: 'cyan',
  advance: 'cyan',
  reduce: 'cyan',
  pause: 'magenta',
  resume: 'magenta',
  auth_prompt: 'magenta',
  auth_resolved: 'magenta',
  success: 'green',
  surface: 'red',
  passthrough: 'red',
  chain_dead: 'red',
  cooling: 'dim',
  recovered: 'dim',
  attempt: 'dim',
}

const LEDGER_HEAD = ['scenario', 'candidate', 'in events', 'in outcomes', 'at the server', '']

/**
 * Tells the demo to a person, line by line as things happen.
 *
 * @param {(line: string) => void} print
 * @param {ReturnType<typeof import('./paint.mjs').painterFor>} paint
 */
export function timelineFor(print, paint) {
  let scene = 0
  let crowd

  return {
    open(scenario) {
      scene += 1
      print('')
      print(paint('bold', `${String(scene).padStart(2)}  ${scenario.title}`))
      for (const line of scenario.story) print(paint('dim', `    ${line}`))
      print(
        paint(
          'dim',
          `    ${lineOf(HEAD[0], { candidate: HEAD[1], class: HEAD[2], decision: HEAD[3], reason: HEAD[4], wait: HEAD[5] })}`,
        ),
      )
      crowd = scenario.crowd === true ? new Map() : undefined
    },
    heard(name, event, sinceMs) {
      const row = rowOf(name, event)
      if (crowd === undefined) return print(`    ${paint(COLOURS[name], lineOf(timeOf(sinceMs), row))}`)
      // Many calls at once are told by kind: the first time each kind was seen, and how often.
      const kind = JSON.stringify([row.candidate, row.class, row.decision, row.reason])
      const seen = crowd.get(kind)
      if (seen === undefined) crowd.set(kind, { name, row, sinceMs, times: 1 })
      else seen.times += 1
    },
    say: (text) => print(`    ${paint('bold', text)}`),
    /** @param {{ ending?: string, fault?: string }} result */
    close({ ending, fault }) {
      for (const { name, row, sinceMs, times } of crowd?.values() ?? []) {
        print(`    ${paint(COLOURS[name], lineOf(timeOf(sinceMs), { ...row, wait: `${times} x` }))}`)
      }
      print(fault === undefined ? `    => ${ending}` : paint('red', `    => NOT AS EXPECTED: ${fault}`))
    },
    end(results) {
      const rows = results.flatMap(({ name, ledger }) =>
        ledger.map(({ candidate, announced, reported, received, equal }) => {
          return [name, candidate, announced, reported, received, equal ? 'equal' : 'DIFFERS']
        }),
      )
      print('')
      print(paint('bold', 'Attempts as heed reported them, beside requests as the servers counted them'))
      for (const line of tableLines(LEDGER_HEAD, rows)) print(line)
      const asExpected = results.filter(({ fault }) => fault === undefined).length
      const equal = rows.filter((row) => row.at(-1) === 'equal').length
      const good = asExpected === results.length && equal === rows.length
      print('')
      print(
        paint(
          good ? 'green' : 'red',
          `${asExpected} of ${results.length} scenarios as expected, ${equal} of ${rows.length} counts equal`,
        ),
      )
    },
  }
}
