import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { Candidate } from '../core/candidate.ts'
import type { Health } from '../health/health.ts'
import { type Auth, heed, unwrap } from '../heed.ts'
import type { HeedOptions, Outcome } from '../options.ts'
import { hiding } from './kit/hiding.ts'
import { mustHaveNoCredentials } from './kit/must-have-no-credentials.ts'
import { inSession, type ShowsSession } from './mcp/forgotten-session.ts'
import { toolCalls } from './mcp/tool-calls.ts'
import { whileAttempted } from './mcp/while-attempted.ts'

export type { ShowsSession } from './mcp/forgotten-session.ts'
export { type AnnotatedTool, trustAnnotations } from './mcp/trust-annotations.ts'

/** One server, or one replica of it. */
export interface McpCandidate extends Omit<Candidate, 'provider' | 'credentials'> {
  /** Whose credentials it uses: replicas that share a login share it. @default the candidate's `id` */
  readonly provider?: string | undefined
  /**
   * The SDK's `Client`, or whatever else has its `callTool`: hand in an object of yours that connects anew, and a
   * repeat after a lost session has a fresh one. Where it shows its `transport`, as the `Client` does, a 404 to a request
   * that carried a session is `transient`, whatever its body; else only one that says so in words.
   */
  readonly client: Pick<Client, 'callTool'> & ShowsSession
}

/** What `heedMcp()` takes: heed's own options, but for what is said here. */
export interface McpOptions extends Omit<HeedOptions<Candidate>, 'candidates' | 'idempotent'> {
  /** Servers that have the same tools, in order of preference. At least one. */
  readonly candidates: readonly McpCandidate[]
  /**
   * Which tools may be run twice without harm: only those are called again after a failure that leaves open whether
   * they have run. `trustAnnotations(tools)` believes the server's own hints. @default false: a tool has effects
   */
  readonly idempotent?: boolean | ((tool: string) => boolean) | undefined
}

/** What the SDK's `callTool` answers. */
export type McpResult = Awaited<ReturnType<Client['callTool']>>

/** Calls tools through a chain of servers. Safe to share between any number of concurrent calls. */
export interface HeedMcp {
  /**
   * As the SDK's `client.callTool`, all of its request options included; `signal` ends the call at once, wherever it is,
   * and reaches the server as `notifications/cancelled`. An `isError` result that states no class is an answer and is
   * handed over as it came; one that states a class is a failure like one that is thrown.
   *
   * @throws The failure as it came where it was passed through, unclassified or ambiguous; the signal's own reason on
   * abort; else a `HeedError`, whose `cause` is the last failure: an error, or the `isError` result itself.
   */
  readonly callTool: Client['callTool']
  /** As `callTool`, with the outcome as a value that says who served and after which attempts. Never throws. */
  readonly settleTool: (...call: Parameters<Client['callTool']>) => Promise<Outcome<McpResult, McpCandidate>>
  /** What operators subscribe to. */
  readonly health: Health
  /** Where humans answer prompts. */
  readonly auth: Auth
}

/**
 * Makes a `callTool` that obeys what the servers say when they fail, for one `Client` or for several that serve the
 * same tools. The SDK itself never sends a call twice: it resumes a response stream, and repeats only what a 401 refused.
 *
 * Over HTTP the SDK's transport keeps the status of a refusal and drops its headers, so that `Retry-After` is lost. A
 * `fetch` of heed's keeps what they say. Not beside an `authProvider`, which must see the 401 itself; and the transport's
 * `onerror` hears of a 405 where the server has no stream of its own to offer.
 *
 * @example
 * const fetch = fetchWithClass({ producer: mcp }) // of heed/fetch and heed/producers/mcp
 * await client.connect(new StreamableHTTPClientTransport(url, { fetch }))
 *
 * @throws TypeError where the options are wrong, naming the path and the fix.
 */
export function heedMcp(options: McpOptions): HeedMcp {
  const { idempotent = false, candidates, ...rest } = mustFit(options)
  const guard = heed({
    ...rest,
    candidates: candidates.map((candidate) =>
      hiding({ ...candidate, provider: candidate.provider ?? candidate.id }, 'client'),
    ),
    producer: rest.producer ?? toolCalls,
  })
  const settleTool: HeedMcp['settleTool'] = async (params, resultSchema, request) => {
    try {
      mustBeOneServer(candidates, request)
      const mayRepeat = typeof idempotent === 'function' ? idempotent(params.name) : idempotent
      return await guard.settle(
        ({ candidate, abortSignal }) =>
          whileAttempted(abortSignal, (signal) =>
            inSession(candidate.client, () => candidate.client.callTool(params, resultSchema, { ...request, signal })),
          ),
        { abortSignal: request?.signal, idempotent: mayRepeat },
      )
    } catch (error) {
      return { status: 'failed', error, attempts: [] }
    }
  }
  return {
    callTool: async (...call) => unwrap(await settleTool(...call)),
    settleTool,
    health: guard.health,
    auth: guard.auth,
  }
}

function mustFit(options: McpOptions): McpOptions {
  const { candidates, idempotent } = Object(options) as Partial<McpOptions>
  if (!Array.isArray(candidates)) throw new TypeError('heedMcp: candidates: give a list of { id, client }')
  if (idempotent !== undefined && typeof idempotent !== 'boolean' && typeof idempotent !== 'function') {
    throw new TypeError('heedMcp: idempotent: give true, false, or a function of the tool name')
  }
  candidates.forEach((candidate: Partial<McpCandidate> | undefined, place) => {
    const path = `heedMcp: candidates[${place}]`
    if (typeof candidate?.client?.callTool !== 'function') {
      throw new TypeError(`${path}.client: give a Client of @modelcontextprotocol/sdk`)
    }
    mustHaveNoCredentials(
      candidate,
      path,
      'a Client has its own login; give each login a candidate with a client and a provider of its own',
    )
  })
  return options
}

/** A resumption token names a place in one server's stream: sent to another, the call would hang or run anew. */
function mustBeOneServer(candidates: readonly McpCandidate[], request: RequestOptions | undefined): void {
  if (request?.resumptionToken === undefined || candidates.length === 1) return
  throw new TypeError('heedMcp: resumptionToken: resume with the client that the call was made with')
}
