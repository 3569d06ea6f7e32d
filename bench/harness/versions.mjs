import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'

const manifest = (url) => JSON.parse(readFileSync(url, 'utf8'))

/** What was measured, on what. */
export const versions = () => {
  const { devDependencies } = manifest(new URL('../package.json', import.meta.url))
  const { version } = manifest(new URL('../../package.json', import.meta.url))
  const installed = Object.keys(devDependencies)
    .filter((name) => !['zod', 'esbuild'].includes(name))
    .map((name) => [name, manifest(new URL(`../node_modules/${name}/package.json`, import.meta.url)).version])
  return {
    node: process.version,
    cpu: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
    packages: { heed: version, ...Object.fromEntries(installed) },
  }
}
