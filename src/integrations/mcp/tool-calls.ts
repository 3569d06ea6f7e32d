import { isKnown, readMcpFacts, statedInError } from '../../producers/dialects/mcp-statement.ts'
import { mcp } from '../../producers/mcp.ts'
import type { Producer } from '../../producers/producer.ts'
import { isOfForgottenSession } from './forgotten-session.ts'

/** Answers of a server or gateway that fell over, or gave up waiting, while the tool may have been at work. */
const MAY_HAVE_RUN: readonly number[] = [500, 502, 504]

/** JSON-RPC's own catch-all: what a server answers when the function behind a tool throws. */
const INTERNAL_ERROR = '-32603'

/**
 * Reads failures of `tools/call`, which has effects, as {@link mcp} does, but for one thing: an internal error and the
 * statuses 500, 502 and 504 leave open whether the tool has run. Where the server states no class of its own they are
 * ambiguous, so that only an idempotent tool is called again. A 503, a 429 and a refused connection are not. A 404 is
 * `transient` where the request is known to have carried a session, and `permanent` where it is not.
 */
export const toolCalls: Producer = {
  ...mcp,
  classify: (raw, env) => {
    const said = mcp.classify(raw, env)
    if (isOfForgottenSession(raw)) return { ...said, class: 'transient' }
    return said?.class === 'transient' && mayHaveRun(raw) ? { ...said, ambiguous: true } : said
  },
}

function mayHaveRun(raw: unknown): boolean {
  const facts = readMcpFacts(raw)
  if (isKnown(statedInError(facts))) return false
  const { status, codes } = facts
  return status === 0 ? codes.includes(INTERNAL_ERROR) : MAY_HAVE_RUN.includes(status)
}
