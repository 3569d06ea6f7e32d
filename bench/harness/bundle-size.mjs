import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

/**
 * The size of an import with its dependencies, bundled and minified.
 * @param {string} contents one import or export line
 * @param {'neutral' | 'node'} platform what heed must fit is the first; some peers need Node
 * @param {string} resolveDir where its package is found
 */
export const bundleSize = async (contents, platform, resolveDir = fileURLToPath(new URL('..', import.meta.url))) => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    minify: true,
    format: 'esm',
    platform,
    ...(platform === 'neutral' && { mainFields: ['module', 'main'] }),
    target: 'es2022',
    // Without the compiler's path map, which would bundle the source instead of what is built.
    tsconfigRaw: '{}',
    write: false,
    logLevel: 'silent',
  })
  const code = outputFiles[0].contents
  return { minified: code.length, gzipped: gzipSync(code, { level: 9 }).length }
}
