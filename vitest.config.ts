import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

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

export default defineConfig({
  resolve: { alias },
  test: {
    include: ['test/**/*.test.ts'],
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
