/**
 * Prints `<passed> <failed>` of a report of vitest's JSON reporter, for .ci/run.
 *
 * `node scripts/test-counts.mjs <report> <exit code of vitest>`: a run that failed without a failed test, or left no
 * report, counts as one failure, and so does a run of no test.
 */
import { existsSync, readFileSync } from 'node:fs'

const [report = '', exitCode = ''] = process.argv.slice(2)
const { numPassedTests = 0, numFailedTests = 0 } = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {}
const bad = exitCode !== '0' || numPassedTests === 0
console.log(`${numPassedTests} ${bad ? Math.max(1, numFailedTests) : numFailedTests}`)
