/**
 * Tells the demo to a program: every event as one line of JSON, and nothing else on that output.
 *
 * @param {(line: string) => void} print
 * @param {(line: string) => void} complain Where prompts and faults go instead.
 */
export function jsonLinesFor(print, complain) {
  let scenario

  return {
    open(opened) {
      scenario = opened.name
    },
    heard: (name, event) => print(JSON.stringify({ ...event, event: name, scenario })),
    say: complain,
    /** @param {{ name: string, fault?: string }} result */
    close({ name, fault }) {
      if (fault !== undefined) complain(`${name}: not as expected: ${fault}`)
    },
    end(results) {
      for (const { name, ledger } of results) {
        for (const row of ledger) if (!row.equal) complain(`${name}: counts differ: ${JSON.stringify(row)}`)
      }
    },
  }
}
