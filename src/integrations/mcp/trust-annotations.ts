/** What `client.listTools()` says of a tool, as far as it is read here. */
export interface AnnotatedTool {
  /** As `callTool` is given it. */
  readonly name: string
  /** The server's own hints. */
  readonly annotations?:
    | { readonly readOnlyHint?: boolean | undefined; readonly idempotentHint?: boolean | undefined }
    | undefined
}

/**
 * An `idempotent` that believes what the server says of its own tools: those marked `readOnlyHint` or `idempotentHint`
 * may be called again. The specification calls annotations untrusted hints, so nothing reads them unless you do this
 * for a server that you trust.
 *
 * @param tools - `(await client.listTools()).tools`; all pages of it.
 * @throws TypeError where they are not that, naming the path and the fix.
 */
export function trustAnnotations(tools: readonly AnnotatedTool[]): (tool: string) => boolean {
  mustBeTools(tools)
  const idempotent = new Set(
    tools
      .filter(({ annotations }) => annotations?.readOnlyHint === true || annotations?.idempotentHint === true)
      .map(({ name }) => name),
  )
  return (tool) => idempotent.has(tool)
}

function mustBeTools(tools: unknown): void {
  if (!Array.isArray(tools)) throw new TypeError('trustAnnotations: tools: give (await client.listTools()).tools')
  tools.forEach((tool: unknown, place) => {
    const { name } = Object(tool) as Partial<AnnotatedTool>
    if (typeof name === 'string') return
    throw new TypeError(`trustAnnotations: tools[${place}]: give a tool with its name, as listTools() answers it`)
  })
}
