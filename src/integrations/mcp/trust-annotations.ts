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
 */
export function trustAnnotations(tools: readonly AnnotatedTool[]): (tool: string) => boolean {
  const idempotent = new Set(
    tools
      .filter(({ annotations }) => annotations?.readOnlyHint === true || annotations?.idempotentHint === true)
      .map(({ name }) => name),
  )
  return (tool) => idempotent.has(tool)
}
