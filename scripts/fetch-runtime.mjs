/**
 * Gets the binary of a runtime from npm into node_modules/.cache, so that nothing has to be installed on the machine.
 * The platform packages are named directly: the packages that choose among them need their install scripts.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './consumer.mjs'

export const cache = join(root, 'node_modules', '.cache', 'matrix')

/**
 * The path of a file inside one package; what was fetched before is used again.
 *
 * @param {string} name The npm package.
 * @param {string} version An exact version, or a major one for its latest release.
 * @param {string} path The binary inside the package.
 */
export function fetchRuntime(name, version, path) {
  const folder = join(cache, `${name.replaceAll('/', '-')}-${version}`)
  const binary = join(folder, 'node_modules', name, path)
  if (existsSync(binary)) return binary
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, stderr } = spawnSync('npm', [...args, `${name}@${version}`], { cwd: folder, encoding: 'utf8' })
  if (status !== 0 || !existsSync(binary)) throw new Error(`cannot install ${name}@${version}\n${stderr}`)
  return binary
}
