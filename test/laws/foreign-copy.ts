import { fileURLToPath } from 'node:url'
import { type Context, createContext, runInContext, runInThisContext } from 'node:vm'
import { build } from 'esbuild'

/** The package's public names, from another copy of it. */
export type Copy = typeof import('heed')

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

/** A realm of its own, with what any host offers. */
export const realm: Context = createContext({
  performance,
  setTimeout,
  clearTimeout,
  crypto,
  AbortController,
  DOMException,
})

const code = await bundled()

/** A second copy in this realm, as two versions in one tree of dependencies give. */
export const duplicate: Copy = runInThisContext(code)

/** A copy whose every object, errors included, is of another realm. */
export const foreign: Copy = runInContext(code, realm)
