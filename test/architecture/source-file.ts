import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'

/** One import or re-export. `typeOnly` means nothing of it is left in the compiled file. */
export type Import = { readonly specifier: string; readonly typeOnly: boolean }

/** What the architecture tests look at in one file. Paths are relative to the repository, with `/`. */
export type SourceFile = {
  readonly path: string
  readonly lines: number
  readonly imports: readonly Import[]
  /** Every identifier that the code (not its comments or strings) contains, and members as `object.member`. */
  readonly names: ReadonlySet<string>
}

const root = fileURLToPath(new URL('../../', import.meta.url))

type Node = { readonly type: string; readonly [key: string]: unknown }
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
const text = (node: unknown): string | undefined => {
  if (!isNode(node)) return undefined
  return typeof node['name'] === 'string' ? node['name'] : typeof node['value'] === 'string' ? node['value'] : undefined
}

function visit(node: unknown, see: (node: Node) => void): void {
  if (Array.isArray(node)) for (const item of node) visit(item, see)
  else if (isNode(node)) {
    see(node)
    for (const key in node) visit(node[key], see)
  }
}

function importOf(node: Node): Import | undefined {
  const specifier = text(node['source'])
  if (node.type === 'TSImportType') return specifier === undefined ? undefined : { specifier, typeOnly: true }
  if (node.type === 'ImportExpression') return { specifier: specifier ?? '(computed)', typeOnly: false }
  if (specifier === undefined || !/^(Import|Export(Named|All))Declaration$/.test(node.type)) return undefined
  // `import { type A }` is not type-only: under verbatimModuleSyntax the module is still loaded.
  return { specifier, typeOnly: (node['importKind'] ?? node['exportKind']) === 'type' }
}

/** Parses one file; `source` is given by tests that plant a violation. */
export function parse(path: string, source: string): SourceFile {
  const { program, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const imports: Import[] = []
  const names = new Set<string>()
  visit(program, (node) => {
    const found = importOf(node)
    if (found) imports.push(found)
    if (node.type === 'Identifier') names.add(node['name'] as string)
    if (node.type === 'MemberExpression') {
      const member = text(node['property'])
      const object = node['object'] as Node
      // The last name before the dot, so that `globalThis.Math.random` is `Math.random` too.
      if (member !== undefined) names.add(member).add(`${text(object) ?? text(object['property'])}.${member}`)
    }
  })
  return { path, lines: source.replace(/\n$/, '').split('\n').length, imports, names }
}

/** Every TypeScript file of what is shipped. */
export function shippedFiles(): readonly SourceFile[] {
  return ['src', 'strategies'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => posix.join(folder, name.replaceAll(sep, '/')))
      .map((path) => parse(path, readFileSync(join(root, path), 'utf8'))),
  )
}

/** The file that a relative import names, relative to the repository; `undefined` for a package. */
export const resolveImport = (from: string, specifier: string): string | undefined =>
  /^\.\.?\//.test(specifier) ? posix.join(posix.dirname(from), specifier) : undefined
