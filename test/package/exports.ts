import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** One entry of `exports`: what an importer writes, and the files it gets. `*` stands for a name. */
export type ExportEntry = { readonly subpath: string; readonly targets: readonly string[] }

export const root: string = fileURLToPath(new URL('../../', import.meta.url))

/** The entries of the manifest, with the paths of every condition. */
export function exportEntries(): readonly ExportEntry[] {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  }
  return Object.entries(manifest.exports).map(([subpath, target]) => ({
    subpath,
    targets: typeof target === 'string' ? [target] : Object.values(target),
  }))
}

/** Every built file, as `./dist/...`. */
export const builtFiles = (): readonly string[] =>
  readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' }).map(
    (name) => `./${posix.join('dist', name.replaceAll(sep, '/'))}`,
  )

/** What `*` stands for in each file that matches; `['']` for a target without one. */
export function namesMatching(target: string, files: readonly string[]): readonly string[] {
  const [before = '', after] = target.split('*')
  if (after === undefined) return files.includes(target) ? [''] : []
  return files
    .filter((file) => file.startsWith(before) && file.endsWith(after))
    .map((file) => file.slice(before.length, file.length - after.length))
    .filter((name) => !name.includes('/') && !name.endsWith('.d'))
}

/** The specifiers that this package answers to, patterns expanded: `heed`, `heed/strategies/auth/pause`, ... */
export const specifiers = (files: readonly string[]): readonly string[] =>
  exportEntries()
    .filter(({ targets }) => targets.some((target) => target.endsWith('.js')))
    .flatMap(({ subpath, targets }) =>
      namesMatching(targets.at(-1) ?? '', files).map((name) => posix.join('heed', subpath.replace('*', name))),
    )
