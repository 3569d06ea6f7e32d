import { field } from './facts.ts'

/** Names that LangGraph's signals keep where their prototype is lost: copied, revived or of another version. */
const NAMES: ReadonlySet<unknown> = new Set(['GraphInterrupt', 'NodeInterrupt', 'ParentCommand', 'GraphDrained'])

/** What a graph may be told with, and some tools throw instead of returning it. */
const TOLD: ReadonlySet<unknown> = new Set(['Command', 'Send'])

/**
 * Whether something thrown steers a LangGraph graph (an interrupt, a command to the parent) and is no failure of
 * anybody's. Its text is the user's own and may say anything, so it must never be read.
 */
export function isControlFlow(thrown: unknown): boolean {
  if (typeof thrown !== 'object' || thrown === null) return false
  return (
    field(thrown, 'is_bubble_up') === true || NAMES.has(field(thrown, 'name')) || TOLD.has(field(thrown, 'lg_name'))
  )
}
