import { resolveImport, type SourceFile } from './source-file.ts'

/** The parts of the package. Data and imports move one way between them. */
const layers = {
  core: /^src\/core\//,
  wire: /^src\/wire\//,
  errors: /^src\/errors\.ts$/,
  health: /^src\/health\//,
  options: /^src\/options\.ts$/,
  producers: /^src\/producers\//,
  shell: /^src\/shell\//,
  fetch: /^src\/fetch\//,
  conformance: /^src\/conformance\//,
  integrations: /^src\/integrations\//,
  stores: /^src\/stores\//,
  composition: /^src\/(heed|config)\.ts$/,
  index: /^src\/index\.ts$/,
  testing: /^src\/testing\//,
  /** What every strategy checks its options with. */
  strategyOptions: /^strategies\/check-options\.ts$/,
  strategies: /^strategies\/(backoff|auth|overflow|unknown|breaker)\//,
} as const

export type Layer = keyof typeof layers

type Rule = {
  /** Layers whose code may be used. Its types may be used too. */
  readonly uses: readonly Layer[]
  /** Layers of which only types may be used. */
  readonly types: readonly Layer[]
  /** Packages, each with the files that may import it. */
  readonly packages: Readonly<Record<string, RegExp>>
}

const all = Object.keys(layers) as Layer[]

/** A layer may always use itself, except that a strategy uses only its own slot. */
const rules: Readonly<Record<Layer, Rule>> = {
  core: { uses: [], types: [], packages: {} },
  wire: { uses: ['core'], types: [], packages: { 'zod/mini': /^src\/wire\/schema\.ts$/ } },
  errors: { uses: ['core', 'wire'], types: [], packages: {} },
  health: { uses: ['core'], types: ['wire'], packages: { eventemitter3: /./ } },
  options: { uses: [], types: ['core', 'errors', 'health'], packages: {} },
  producers: { uses: [], types: ['core', 'wire'], packages: {} },
  shell: { uses: ['core', 'wire', 'errors', 'health'], types: ['options'], packages: {} },
  // Of the shell, the process's clock and the one listener per signal. undici's types are not among what is shipped.
  fetch: { uses: ['core', 'wire', 'producers', 'shell'], types: [], packages: {} },
  conformance: { uses: ['core', 'wire', 'testing'], types: [], packages: {} },
  // Each host's package in its own file and folder, and nowhere else. Of the shell, the process's clock and randomness.
  integrations: {
    uses: ['core', 'wire', 'errors', 'producers', 'composition', 'shell'],
    types: ['options', 'health'],
    packages: {
      '@ai-sdk/provider': /^src\/integrations\/ai-sdk[./]/,
      '@anthropic-ai/sdk': /^src\/integrations\/anthropic[./]/,
      '@langchain/core': /^src\/integrations\/langchain[./]/,
      '@langchain/langgraph': /^src\/integrations\/langchain[./]/,
      '@modelcontextprotocol/sdk': /^src\/integrations\/mcp[./]/,
      '@openai/agents-core': /^src\/integrations\/openai-agents[./]/,
      '@opentelemetry/api': /^src\/integrations\/otel[./]/,
      ai: /^src\/integrations\/ai-sdk[./]/,
      langchain: /^src\/integrations\/langchain[./]/,
      openai: /^src\/integrations\/openai[./]/,
    },
  },
  stores: {
    uses: ['core', 'wire', 'health'],
    types: [],
    packages: { ioredis: /^src\/stores\/redis[./]/, redis: /^src\/stores\/redis[./]/ },
  },
  composition: {
    uses: ['core', 'wire', 'errors', 'health', 'shell', 'strategies'],
    types: ['options'],
    packages: { 'zod/mini': /^src\/config\.ts$/ },
  },
  index: { uses: ['core', 'wire', 'errors', 'health', 'composition'], types: all, packages: {} },
  testing: { uses: ['core', 'wire', 'health'], types: all, packages: {} },
  strategyOptions: { uses: [], types: [], packages: {} },
  strategies: {
    uses: ['strategyOptions'],
    types: ['core'],
    packages: { cockatiel: /^strategies\/(breaker\/|backoff\/from-cockatiel\.ts$)/ },
  },
}

/** The layer a file belongs to. A file outside every layer has no rule, which is itself a violation. */
export const layerOf = (path: string): Layer | undefined => all.find((layer) => layers[layer].test(path))

const sameUnit = (layer: Layer, from: string, to: string): boolean =>
  layer !== 'strategies' || from.split('/')[1] === to.split('/')[1]

/** `openai/resources/chat` is of the package `openai`; `zod/mini` is named as it is, a package of its own to us. */
const packageOf = (specifier: string): string =>
  specifier === 'zod/mini' ? specifier : specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')

/** One sentence for each import that the matrix forbids. */
export function importViolations(files: readonly SourceFile[]): readonly string[] {
  const paths = new Set(files.map((file) => file.path))
  return files.flatMap((file) => {
    const layer = layerOf(file.path)
    if (layer === undefined) return [`${file.path} belongs to no layer`]
    const rule = rules[layer]
    return file.imports.flatMap(({ specifier, typeOnly }) => {
      const what = `${file.path} imports ${typeOnly ? 'types of ' : ''}${specifier}`
      const target = resolveImport(file.path, specifier)
      if (target === undefined) return rule.packages[packageOf(specifier)]?.test(file.path) ? [] : [what]
      if (!paths.has(target)) return [`${what}, which does not exist`]
      const other = layerOf(target)
      if (other === undefined) return [what]
      if (other === layer && sameUnit(layer, file.path, target)) return []
      return rule.uses.includes(other) || (typeOnly && rule.types.includes(other)) ? [] : [what]
    })
  })
}

/**
 * The import cycles, each as the path that closes it. Types do not count: nothing of them is loaded, and the layers
 * above keep them one-way where it matters.
 */
export function importCycles(files: readonly SourceFile[]): readonly string[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const finished = new Set<string>()
  const cycles: string[] = []
  const walk = (path: string, trail: readonly string[]): void => {
    const seen = trail.indexOf(path)
    if (seen >= 0) cycles.push([...trail.slice(seen), path].join(' -> '))
    if (seen >= 0 || finished.has(path)) return
    for (const { specifier, typeOnly } of byPath.get(path)?.imports ?? []) {
      const target = typeOnly ? undefined : resolveImport(path, specifier)
      if (target !== undefined) walk(target, [...trail, path])
    }
    finished.add(path)
  }
  for (const file of files) walk(file.path, [])
  return cycles
}
