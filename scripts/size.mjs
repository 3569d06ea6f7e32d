/**
 * What `import { heed } from 'heed'` costs a browser: minified and gzipped, with dependencies. Exits 1 over the budget,
 * and when the breaker's package is in the bundle: only the subpaths that use it may load it.
 *
 * The numbers repeat exactly for one lock file and one Node version, so CI checks them.
 */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** What it comes to, and a little. The aim is 16,000; zod and eventemitter3 are 6,700 of it. */
const BUDGET_GZIP_BYTES = 27_400
const REFUSED = 'cockatiel'

const { outputFiles, metafile } = await build({
  stdin: { contents: "export { heed } from 'heed'", resolveDir: root },
  absWorkingDir: root,
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  target: 'es2022',
  metafile: true,
  write: false,
})

const code = outputFiles[0].contents
const gzip = gzipSync(code, { level: 9 }).length
const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`

/** Bytes of the bundle per package; the package itself is `heed`. */
const parts = new Map()
for (const [path, { bytesInOutput }] of Object.entries(Object.values(metafile.outputs)[0].inputs)) {
  const name = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? 'heed'
  parts.set(name, (parts.get(name) ?? 0) + bytesInOutput)
}

console.log(`import { heed } from 'heed': ${kB(code.length)} minified, ${kB(gzip)} gzipped (${gzip} bytes)`)
for (const [name, bytes] of [...parts].sort((a, b) => b[1] - a[1])) console.log(`  ${name}: ${kB(bytes)} minified`)

if (parts.has(REFUSED)) {
  console.error(`${REFUSED} is in the bundle of \`heed\`; only its own subpaths may import it`)
  process.exitCode = 1
}
if (gzip > BUDGET_GZIP_BYTES) {
  console.error(`over the budget of ${BUDGET_GZIP_BYTES} bytes by ${gzip - BUDGET_GZIP_BYTES}`)
  process.exitCode = 1
}
