import type { AgentMiddleware } from 'langchain'

/** Registered globally by LangChain, so that copies of the package agree. */
const BRAND = Symbol.for('AgentMiddleware')

/**
 * What LangChain's own `createMiddleware()` makes of the same hooks. It is made here because that function is all that
 * would be needed of `langchain` at run time: who uses LangChain's core or LangGraph alone need not install it.
 */
export function middlewareOf(
  hooks: Pick<AgentMiddleware, 'name' | 'wrapModelCall' | 'wrapToolCall'>,
): Pick<AgentMiddleware, 'name' | 'wrapModelCall' | 'wrapToolCall'> {
  return { [BRAND]: true, ...hooks } as Pick<AgentMiddleware, 'name' | 'wrapModelCall' | 'wrapToolCall'>
}
