import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vitest/config'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** `HEED_TARGET=dist` runs the same suite against the built files, as the matrix of runtimes does. */
const onDist = process.env['HEED_TARGET'] === 'dist'

const alias = onDist
  ? [
      { find: /^heed$/, replacement: at('dist/src/index.js') },
      { find: /^heed\/(testing|producers|fetch|conformance)$/, replacement: at('dist/src/$1/index.js') },
      { find: /^heed\/((producers|integrations|stores)\/.+)$/, replacement: at('dist/src/$1.js') },
      { find: /^heed\/(strategies\/.+)$/, replacement: at('dist/$1.js') },
    ]
  : [
      { find: /^heed$/, replacement: at('src/index.ts') },
      { find: /^heed\/(testing|producers|fetch|conformance)$/, replacement: at('src/$1/index.ts') },
      { find: /^heed\/((producers|integrations|stores)\/.+)$/, replacement: at('src/$1.ts') },
      { find: /^heed\/(strategies\/.+)$/, replacement: at('$1.ts') },
    ]

/** `HEED_HOSTS=oldest` runs the tests of hosts and stores against the versions in `test/hosts/oldest`, not the newest. */
const hosts = process.env['HEED_HOSTS']

/** Resolves the packages that a folder of hosts lists from there and nowhere else, wherever in the project they are imported. */
function hostsFrom(folder: string): Plugin {
  // Vite resolves from a file that exists: from one that does not it would take the newest, from the root, without a word.
  const manifest = join(folder, 'package.json')
  const names = Object.keys(JSON.parse(readFileSync(manifest, 'utf8')).devDependencies)
  return {
    name: 'hosts',
    enforce: 'pre',
    async resolveId(id, importer) {
      const isHost = names.some((name) => id === name || id.startsWith(`${name}/`))
      if (!isHost || importer?.includes('node_modules')) return null
      const found = await this.resolve(id, manifest, { skipSelf: true })
      if (found?.id.startsWith(join(folder, 'node_modules'))) return found
      throw new Error(`${id} is not in ${folder}`)
    },
  }
}

const included =
  hosts === undefined
    ? ['test/**/*.test.ts']
    : // The other tests of the store start processes of their own, which load what the root has.
      ['test/integrations/**/*.test.ts', 'test/stores/redis/conformance.test.ts']

export default defineConfig({
  plugins: hosts === undefined ? [] : [hostsFrom(at(`test/hosts/${hosts}`))],
  resolve: { alias },
  test: {
    include: included,
    // Tests of what only newer versions of a host can do.
    exclude: hosts === undefined ? ['**/node_modules/**'] : ['**/node_modules/**', '**/newer-versions.test.ts'],
    // Built files run as Node would run them, not through the transformer.
    server: { deps: { external: [/\/dist\//] } },
    testTimeout: 120_000,
    hookTimeout: 60_000,
    retry: 0,
    typecheck: {
      enabled: !onDist,
      include: ['test/types/**/*.test-d.ts'],
      tsconfig: 'tsconfig.types.json',
    },
  },
})
