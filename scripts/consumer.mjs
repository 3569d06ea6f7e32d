/**
 * Installs the package the way a user would: packs it, and installs the tarball into an empty project.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const npm = (args, cwd) =>
  execFileSync('npm', args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 2],
    shell: process.platform === 'win32',
  })

/**
 * An empty project at `folder` with this package installed. Answers the paths inside the tarball.
 *
 * @param {string} folder Emptied first.
 * @returns {readonly string[]}
 */
export function installPackedInto(folder) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  // Built beforehand by the set-up; `prepack` would build again.
  const [packed] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root))
  const manifest = {
    name: 'consumer',
    private: true,
    type: 'module',
    dependencies: { heed: `file:${packed.filename}` },
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  npm(['install', '--no-audit', '--no-fund', '--no-package-lock', '--prefer-offline', '--loglevel=error'], folder)
  return packed.files.map((file) => file.path)
}
