/**
 * What the manifest's `exports` promise, read against the files that are really there.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * One entry of `exports`: what an importer writes, and the files each condition gets. `*` stands for a name.
 * @typedef {{ readonly subpath: string, readonly targets: readonly string[] }} ExportEntry
 */

/** @returns {Readonly<Record<string, null | string | Readonly<Record<string, string>>>>} */
const manifestExports = () => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).exports

/** @returns {readonly ExportEntry[]} */
export function exportEntries() {
  return Object.entries(manifestExports())
    .filter(([, target]) => target !== null)
    .map(([subpath, target]) => ({
      subpath,
      targets: typeof target === 'string' ? [target] : Object.values(target ?? {}),
    }))
}

/**
 * Every built file, as `./dist/...`.
 * @returns {readonly string[]}
 */
export const builtFiles = () =>
  readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' }).map(
    (name) => `./${posix.join('dist', name.replaceAll(sep, '/'))}`,
  )

/**
 * What `*` stands for in each file that matches; `['']` for a target without one.
 * @param {string} target
 * @param {readonly string[]} files
 * @returns {readonly string[]}
 */
export function namesMatching(target, files) {
  const [before = '', after] = target.split('*')
  if (after === undefined) return files.includes(target) ? [''] : []
  return files
    .filter((file) => file.startsWith(before) && file.endsWith(after))
    .map((file) => file.slice(before.length, file.length - after.length))
    .filter((name) => !name.includes('/'))
}

/**
 * The subpaths that a pattern would open and that are closed by their own names.
 * @returns {readonly string[]}
 */
export const closedSubpaths = () =>
  Object.entries(manifestExports()).flatMap(([subpath, target]) =>
    target === null && !subpath.includes('*') ? [subpath] : [],
  )

/**
 * The specifiers of code that the package answers to, patterns expanded: `heed`, `heed/strategies/auth/pause`, ...
 * @param {readonly string[]} files
 * @returns {readonly string[]}
 */
export function specifiers(files) {
  const closed = new Set(closedSubpaths())
  return exportEntries().flatMap(({ subpath, targets }) => {
    const code = targets.find((target) => target.endsWith('.js'))
    if (code === undefined) return []
    return namesMatching(code, files)
      .map((name) => subpath.replace('*', name))
      .filter((path) => !closed.has(path))
      .map((path) => posix.join('heed', path))
  })
}
