/**
 * Makes a fresh clone ready: installs what the lock file names and builds, each only when it is out of date. Uses nothing
 * but Node and npm, because it runs before anything is installed.
 *
 * `node scripts/setup.mjs` prepares the package; `node scripts/setup.mjs bench` also installs a folder whose packages are
 * not dependencies of this one.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The last change of a file, 0 when there is none: older than everything. */
const changedAtMs = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0)

/** The last change below a folder. Folders count too: deleting a file changes only its folder. */
const treeChangedAtMs = (folder) =>
  readdirSync(folder, { recursive: true }).reduce(
    (latest, entry) => Math.max(latest, changedAtMs(join(folder, String(entry)))),
    changedAtMs(folder),
  )

const run = (command, args, cwd) => {
  console.error(`heed: ${command} ${args.join(' ')}${cwd === root ? '' : ` (in ${cwd.slice(root.length + 1)}/)`}`)
  // What is printed here is progress; stdout belongs to the command that needs the set-up (`npm run demo -- --json`).
  const { status } = spawnSync(command, args, {
    cwd,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
}

/** The packages that a lock file (or npm's record of what it installed) names, by their folder. */
const packagesOf = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {})

/** Whether each package of the lock file is installed. By version and not by date: npm writes the two files in any order. */
const isInstalled = (folder) => {
  const installed = packagesOf(join(folder, 'node_modules', '.package-lock.json'))
  return Object.entries(packagesOf(join(folder, 'package-lock.json'))).every(([path, wanted]) => {
    if (path === '') return true
    // Optional packages for other platforms are never there.
    if (!(path in installed)) return wanted.optional === true || wanted.devOptional === true
    // npm writes its record of a change that only went to the lock file, too.
    return installed[path].version === wanted.version && existsSync(join(folder, path))
  })
}

const install = (folder) => {
  if (!isInstalled(folder)) run('npm', ['ci', '--no-audit', '--no-fund'], folder)
}

const build = () => {
  const sources = Math.max(
    treeChangedAtMs(join(root, 'src')),
    treeChangedAtMs(join(root, 'strategies')),
    changedAtMs(join(root, 'tsconfig.base.json')),
    changedAtMs(join(root, 'tsconfig.build.json')),
    changedAtMs(join(root, 'tsconfig.integrations.json')),
  )
  if (changedAtMs(join(root, 'dist', 'src', 'index.js')) <= sources) run(process.execPath, ['scripts/build.mjs'], root)
}

install(root)
build()
for (const folder of process.argv.slice(2)) install(join(root, folder))
