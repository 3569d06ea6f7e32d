// Plays every scenario of the peers' table with one subject. Prints JSON.
import { playAll } from '../peers-table/scenarios/index.mjs'
import { subjectNamed } from '../peers-table/subjects/index.mjs'

// What a subject throws after its call has settled belongs to no call: it is counted, and must not end the others.
let stray = 0
const subject = await subjectNamed(JSON.parse(process.argv[2]).id)
process.on('unhandledRejection', () => stray++)
process.on('uncaughtException', () => stray++)

const print = (result, code) => process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(code))
const { id, title, host, packages, setting, onlyOne = false } = subject
try {
  const results = await playAll(subject)
  // At once: some of the subjects keep sockets and timers.
  print({ id, title, host: host.title, packages, setting, onlyOne, stray, results }, 0)
} catch (error) {
  process.stderr.write(`${error?.stack}\n`, () => process.exit(1))
}
