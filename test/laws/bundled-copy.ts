import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** The same files that `heed` stands for in this run. */
const entry = fileURLToPath(
  new URL(process.env['HEED_TARGET'] === 'dist' ? '../../dist/src/index.js' : '../../src/index.ts', import.meta.url),
)

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'copyOfHeed',
    logLevel: 'silent',
  })
  return `(() => { ${outputFiles[0]?.text}; return copyOfHeed })()`
}

/** The package as one expression, whose value is a copy of its own: for another realm, or another process. */
export const bundledCopy: string = await bundled()
