import type { AgentMiddleware } from 'langchain'
import type { Candidate } from '../../core/candidate.ts'
import { mustBeKnown } from '../../core/must-be-known.ts'
import type { Health } from '../../health/health.ts'
import { type Auth, createHealth, type Guard, heed } from '../../heed.ts'
import { langchain } from '../../producers/langchain.ts'
import type { Producer } from '../../producers/producer.ts'
import { mustBeOptions } from '../kit/must-be-options.ts'
import { signalOf } from './answer.ts'
import { AuthInterrupts, mustSayWhoWaits, type OnAuthRequired, withoutPause } from './auth-interrupt.ts'
import { type GuardOptions, passingSignals } from './guard-options.ts'
import { inContext } from './in-context.ts'
import { type Middleware, middlewareOf } from './middleware.ts'
import { overlaid } from './overlaid.ts'

/** What heed is to know of one tool. */
export interface HeedTool {
  /** It may be run twice without harm. @default false: a tool has effects */
  readonly idempotent?: boolean | undefined
  /** Whose credentials it uses: tools that share a login share it. @default the tool's name */
  readonly provider?: string | undefined
  /**
   * Reads its failures.
   *
   * @default LangChain's for an idempotent tool. For others none but the class that the failure itself states: a status
   * may be that of the last of several requests, and the ones before it have had their effect.
   */
  readonly producer?: Producer | undefined
}

/** What {@link heedTools} takes: heed's own options, and these. */
export interface HeedToolsOptions extends Omit<GuardOptions, 'idempotent'> {
  /** By the tool's name. */
  readonly tools?: Readonly<Record<string, HeedTool>> | undefined
  /** As for `heedModels`. @default 'pause' */
  readonly onAuthRequired?: OnAuthRequired | undefined
}

/** A middleware for `createAgent({ middleware: [] })`, with where operators listen and humans answer. */
export interface HeedTools extends Middleware {
  /** What operators subscribe to, and what calls share. */
  readonly health: Health
  /** Where humans answer prompts. */
  readonly auth: Auth
}

const SETTINGS = ['idempotent', 'provider', 'producer'] satisfies readonly (keyof HeedTool)[]

function mustBeSettings(tools: unknown): void {
  if (typeof tools !== 'object' || tools === null || Array.isArray(tools)) {
    throw new TypeError('heedTools: tools: give an object with the settings of each tool under its name')
  }
  for (const [name, settings] of Object.entries(tools)) mustBeKnown(settings, SETTINGS, 'heedTools', `tools.${name}`)
}

/**
 * Makes an agent's tool calls obey what the tools say when they fail. A tool that may have run is not run again unless it
 * is declared idempotent. What surfaces ends the agent's run, as in every middleware for tools; `toolErrorMiddleware`
 * before this one makes a message of it for the model.
 *
 * @throws TypeError where the options are wrong, naming the path and the fix.
 */
export function heedTools(options: HeedToolsOptions = {}): HeedTools {
  mustBeOptions(options, 'heedTools', {
    instead: {
      candidates: "the agent's own tools are run; say what heed is to know of each under tools",
      idempotent: 'say it of each tool, as in tools: { search: { idempotent: true } }',
    },
  })
  const { tools = {}, onAuthRequired = 'pause', producer, ...rest } = options
  mustSayWhoWaits(onAuthRequired)
  mustBeSettings(tools)
  const health = rest.health ?? createHealth({ clock: rest.clock })
  const known = new Map(Object.entries(tools))
  const guardOf = (name: string): Guard<Candidate> => {
    const {
      idempotent = false,
      provider = name,
      producer: own = producer ?? (idempotent ? langchain : undefined),
    } = known.get(name) ?? {}
    const candidates = [{ id: name, provider }]
    const given = passingSignals({ ...rest, health, idempotent, candidates, ...(own && { producer: own }) })
    return heed(onAuthRequired === 'interrupt' ? withoutPause(given) : given)
  }
  const any = guardOf('a tool of the agent')
  const guards = new Map([...known.keys()].map((name) => [name, guardOf(name)]))
  const interrupts = new AuthInterrupts()
  const wrapToolCall: AgentMiddleware['wrapToolCall'] = async (request, handler) => {
    const { tool, toolCall, runtime } = request
    // A name that the model made up is the agent's to answer.
    if (tool === undefined) return handler(request)
    const { name } = toolCall
    const guard = guards.get(name) ?? guardOf(name)
    guards.set(name, guard)
    const within = inContext()
    const { signal: abortSignal } = runtime
    const ask = () =>
      guard.execute(
        async (attempt) => {
          const added = signalOf(attempt, abortSignal)
          return within(() =>
            handler(added.signal === undefined ? request : { ...request, tool: overlaid(tool, added) }),
          )
        },
        { abortSignal },
      )
    if (onAuthRequired === 'pause') return ask()
    return interrupts.run(guard, [{ id: name, provider: known.get(name)?.provider ?? name }], runtime, ask)
  }
  return { ...middlewareOf({ name: 'heedTools', wrapToolCall }), health, auth: any.auth }
}
