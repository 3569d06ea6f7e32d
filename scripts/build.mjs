/**
 * Compiles src/ and strategies/ to dist/.
 *
 * It compiles into a folder beside dist/ and swaps at the end, so that a failed build leaves the last good one, a file
 * whose source is gone does not survive, and a process that imports dist/ meanwhile never sees half of it.
 */
import { spawnSync } from 'node:child_process'
import { renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')
// At the depth of dist/, because source maps hold relative paths.
const next = join(root, `.dist-${process.pid}`)
const last = join(root, `.dist-${process.pid}-last`)

const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
/** @param {string} project */
const compile = (project) =>
  // stdout is kept free: `npm pack --json` runs this as `prepack` and its answer is parsed.
  spawnSync(process.execPath, [tsc, '-p', project, '--outDir', next], { cwd: root, stdio: ['ignore', 2, 2] }).status ??
  1

const failed = compile('tsconfig.build.json') || compile('tsconfig.integrations.json')

if (failed === 0) {
  try {
    renameSync(dist, last)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  renameSync(next, dist)
}
rmSync(next, { recursive: true, force: true })
rmSync(last, { recursive: true, force: true })
process.exitCode = failed
