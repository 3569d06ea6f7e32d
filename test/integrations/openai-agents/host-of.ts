import { Agent, type Model, Runner } from '@openai/agents-core'
import { OpenAIChatCompletionsModel, OpenAIProvider, OpenAIResponsesModel } from '@openai/agents-openai'
import { type HeedModel, heedModel, type ModelCandidate } from 'heed/integrations/openai-agents'
import OpenAI from 'openai'
import type { DialectName } from '../kit/dialect.ts'
import type { Host, HostCandidate, HostDriver, HostOptions } from '../kit/host.ts'

/** Tracing is off: nothing leaves the machine. Old runners want a provider, though every agent brings its model. */
export const runner = new Runner({ modelProvider: new OpenAIProvider({ apiKey: 'sk-kit' }), tracingDisabled: true })

/** A model of the SDK's own, with a client as people make it: its two repeats left on. */
export function modelAt({ baseUrl, model }: Pick<HostCandidate, 'baseUrl' | 'model'>, dialect: DialectName): Model {
  const client = new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey: 'sk-kit' })
  return dialect === 'responses'
    ? new OpenAIResponsesModel(client, model)
    : new OpenAIChatCompletionsModel(client, model)
}

export function candidatesFor(candidates: readonly HostCandidate[], dialect: DialectName): readonly ModelCandidate[] {
  return candidates.map((candidate) => ({ ...candidate, model: modelAt(candidate, dialect) }))
}

/** A run of one agent with one model, as its consumer sees it. */
export function hostOf(model: HeedModel): Host {
  const agent = new Agent({ name: 'Kit', instructions: 'Answer.', model })
  const signalOf = (abortSignal: AbortSignal | undefined): object =>
    abortSignal === undefined ? {} : { signal: abortSignal }
  return {
    health: model.health,
    auth: model.auth,
    unary: async ({ abortSignal, prompt = 'Hello' } = {}) => {
      const { finalOutput } = await runner.run(agent, prompt, signalOf(abortSignal))
      return String(finalOutput)
    },
    async *stream({ abortSignal, prompt = 'Hello' } = {}) {
      const result = await runner.run(agent, prompt, { stream: true, ...signalOf(abortSignal) })
      for await (const event of result) {
        if (event.type === 'raw_model_stream_event' && event.data.type === 'output_text_delta') yield event.data.delta
      }
      await result.completed
    },
  }
}

/** The table's driver for one of the SDK's two models. */
export function driverOf(dialect: 'chat' | 'responses', rest: Pick<HostDriver, 'cannot' | 'differs'>): HostDriver {
  return {
    name: `OpenAI Agents, ${dialect}`,
    dialect,
    start: (candidates, options) => hostOf(heedModel({ ...options, candidates: candidatesFor(candidates, dialect) })),
    nest: (candidates, options) => hostOf(nested(candidatesFor(candidates, dialect), options)),
    ...rest,
  }
}

function nested(candidates: readonly ModelCandidate[], options: HostOptions): HeedModel {
  const inner = heedModel({ ...options, candidates })
  const middle = heedModel({ ...options, candidates: [{ id: 'inner', model: inner }] })
  return heedModel({ ...options, candidates: [{ id: 'middle', model: middle }] })
}
