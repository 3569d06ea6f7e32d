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
  /** Every name that the code refers to, with members of a name as `object.member`. Comments, strings and the names of
   * a type's or object's own members are not among them: an injected `clock.setTimeout` is no global. */
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

/** Walks everything but names that refer to nothing: `b` in `a.b`, in `{ b: 1 }` and in `interface A { b(): void }`. */
function visit(node: unknown, see: (node: Node) => void): void {
  if (Array.isArray(node)) for (const item of node) visit(item, see)
  else if (isNode(node)) {
    see(node)
    const own = node['computed'] === true ? undefined : node.type === 'MemberExpression' ? 'property' : 'key'
    for (const key in node) if (key !== own) visit(node[key], see)
  }
}

/** `Math.random` of `Math.random`, of `Math['random']` and of `globalThis.Math.random`; `Date` of `globalThis.Date`. */
function memberNames(node: Node): readonly string[] {
  const member = text(node['property'])
  const object = node['object'] as Node
  const owner = text(object) ?? text(object['property'])
  if (member === undefined || owner === undefined) return []
  return /^(globalThis|window|self|global)$/.test(owner) ? [member] : [`${owner}.${member}`]
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
    if (node.type === 'MemberExpression') for (const name of memberNames(node)) names.add(name)
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
