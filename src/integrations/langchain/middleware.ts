import type { AgentMiddleware, modelFallbackMiddleware } from 'langchain'

/** Registered globally by LangChain, so that copies of the package agree. */
const BRAND = Symbol.for('AgentMiddleware')

/** The type of a middleware that adds neither state nor context nor tools, as LangChain's own have it. */
export type Middleware = ReturnType<typeof modelFallbackMiddleware>

/** What a model call of an agent is asked with; older versions do not export it. */
export type ModelRequest = Parameters<NonNullable<Middleware['wrapModelCall']>>[0]

/**
 * What LangChain's own `createMiddleware()` makes of the same hooks. It is made here because that function is all that
 * would be needed of `langchain` at run time: who uses LangChain's core or LangGraph alone need not install it.
 */
export function middlewareOf(hooks: Pick<AgentMiddleware, 'name' | 'wrapModelCall' | 'wrapToolCall'>): Middleware {
  return { [BRAND]: true, ...hooks } as Middleware
}
