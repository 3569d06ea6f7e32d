/**
 * `npm run mutants`: shows that each law can fail. Plants one mistake per law in a copy of the sources, runs that law's
 * own test there, and requires it to find a counterexample. Before that, each test must hold in the copy as it is.
 *
 * Prints a table; exits 1 if a mistake survives, no longer applies, or breaks the test instead of the law.
 * `node test/laws/mutants.mjs 4 11` does laws 4 and 11 only.
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mutations } from './mutations.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const cache = join(root, 'node_modules', '.cache', 'heed-mutants')
const laws = readdirSync(join(root, 'test', 'laws')).filter((name) => name.endsWith('.test.ts'))

const chosen = process.argv.slice(2).map(Number)
const planned = mutations.filter(({ law }) => chosen.length === 0 || chosen.includes(law))

/** A copy of what the laws need, to change at will. */
const copyNumber = (number) => {
  const copy = join(cache, String(number))
  rmSync(copy, { recursive: true, force: true })
  mkdirSync(copy, { recursive: true })
  for (const part of [
    'src',
    'strategies',
    'test/laws',
    'package.json',
    'vitest.config.ts',
    'tsconfig.base.json',
    'tsconfig.json',
  ]) {
    cpSync(join(root, part), join(copy, part), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
  return copy
}

const fileOf = (law) => laws.find((name) => name.startsWith(`${String(law).padStart(2, '0')}-`))

/** Runs one law's test in a copy: `held`, `caught` by a counterexample, or `broken` with what was said. */
const runLaw = async (copy, law, env = process.env) => {
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const options = ['--typecheck.enabled=false', '--reporter=json', `--outputFile=${report}`]
  let said = ''
  const status = await new Promise((resolve) => {
    const child = spawn(process.execPath, [vitest, 'run', `test/laws/${fileOf(law)}`, ...options], { cwd: copy, env })
    child.stdout.on('data', (text) => (said += text))
    child.stderr.on('data', (text) => (said += text))
    child.on('close', resolve)
  })
  if (status === 0) return { verdict: 'held' }
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
    const messages = testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .flatMap((each) => each.failureMessages)
    const counterexample = messages.find((message) => message.includes('Property failed after'))
    if (counterexample !== undefined) {
      return { verdict: 'caught', after: /after (\d+) tests/.exec(counterexample)?.[1], said: counterexample }
    }
    said = messages.join('\n') || said
  } catch {
    // No report was written: what the run printed is all there is.
  }
  return { verdict: 'broken', said }
}

/** Plants a mutation, runs its law, and takes it back. */
const tryMutation = async (copy, { law, file, search, replace }) => {
  const path = join(copy, file)
  const original = readFileSync(path, 'utf8')
  if (original.split(search).length !== 2) return { verdict: 'stale', said: `${file} does not hold once: ${search}` }
  // `npm test` runs it in full.
  const before = await runLaw(copy, law, { ...process.env, HEED_LAW_RUNS: '100' })
  if (before.verdict !== 'held')
    return { verdict: 'broken', said: `the law does not hold without it\n${before.said ?? ''}` }
  writeFileSync(
    path,
    original.replace(search, () => replace),
  )
  try {
    return await runLaw(copy, law)
  } finally {
    writeFileSync(path, original)
  }
}

const TOLD = { caught: 'caught', held: 'SURVIVED', broken: 'BROKEN', stale: 'NO LONGER APPLIES' }
const results = new Map()
const waiting = [...planned]

const work = async (_unused, number) => {
  const copy = copyNumber(number)
  for (let mutation = waiting.shift(); mutation !== undefined; mutation = waiting.shift()) {
    const result = await tryMutation(copy, mutation)
    results.set(mutation, result)
    console.error(`law ${mutation.law}: ${TOLD[result.verdict]}`)
  }
}
await Promise.all(Array.from({ length: Math.max(1, Math.min(4, availableParallelism())) }, work))
rmSync(cache, { recursive: true, force: true })

const width = Math.max(...planned.map(({ mistake }) => mistake.length))
console.log(`law  ${'mistake'.padEnd(width)}  verdict`)
for (const mutation of planned) {
  const { verdict, after } = results.get(mutation)
  const runs = after === undefined ? '' : ` after ${after} ${after === '1' ? 'run' : 'runs'}`
  console.log(`${String(mutation.law).padStart(3)}  ${mutation.mistake.padEnd(width)}  ${TOLD[verdict]}${runs}`)
}
const failed = planned.filter((mutation) => results.get(mutation).verdict !== 'caught')
for (const mutation of failed) console.log(`\nlaw ${mutation.law}: ${results.get(mutation).said ?? mutation.mistake}`)
const untried = chosen.length === 0 ? laws.filter((name) => !planned.some(({ law }) => fileOf(law) === name)) : []
if (untried.length > 0) console.log(`\nno mistake is planted for ${untried.join(', ')}`)
process.exitCode = failed.length + untried.length > 0 ? 1 : 0
