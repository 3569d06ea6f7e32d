/**
 * Gets the binary of Valkey from Debian's packages into node_modules/.cache, beside what is installed: of the release
 * that the machine runs, else of its backports. Uses the shared libraries of `redis-server`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cache } from './fetch-runtime.mjs'

const PACKAGES = ['valkey-server', 'valkey-tools']

const folder = join(cache, 'valkey')

/**
 * @param {string} command
 * @param {readonly string[]} args
 */
const run = (command, args) => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args[0]}: ${error?.message ?? stderr}`)
  return stdout
}

/**
 * The path of the server; what was fetched before is used again.
 *
 * @throws Error where Debian's packages cannot be had.
 */
export function fetchValkey() {
  const binary = join(folder, 'usr', 'bin', 'valkey-server')
  if (existsSync(binary)) return binary
  mkdirSync(folder, { recursive: true })
  try {
    run('apt-get', ['download', ...PACKAGES])
  } catch {
    run('apt-get', [...backports(), 'download', ...PACKAGES])
  }
  for (const file of readdirSync(folder)) if (file.endsWith('.deb')) run('dpkg', ['-x', file, folder])
  return binary
}

/** What makes apt see the backports of the machine's release, and nothing of the machine be changed by it. */
function backports() {
  const format = ['--format', '$(REPO_URI) $(CODENAME)-backports main', 'Origin: Debian', 'Created-By: Packages']
  const [release] = run('apt-get', ['indextargets', ...format]).split('\n')
  if (release === undefined || release === '') throw new Error('no release of Debian')
  const key = '/usr/share/keyrings/debian-archive-keyring.gpg'
  writeFileSync(join(folder, 'backports.list'), `deb [signed-by=${key}] ${release}\n`)
  mkdirSync(join(folder, 'lists', 'partial'), { recursive: true })
  const settings = { 'Etc::sourcelist': 'backports.list', 'Etc::sourceparts': '-', 'State::lists': 'lists' }
  const options = Object.entries(settings).map(
    ([name, path]) => `-oDir::${name}=${path === '-' ? path : join(folder, path)}`,
  )
  run('apt-get', [...options, 'update'])
  return options
}
