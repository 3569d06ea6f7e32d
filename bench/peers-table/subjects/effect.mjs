import { Context, Effect, ExecutionPlan, Schedule, Stream } from 'effect'
import { worthAnotherTry } from '../harness/worth-another-try.mjs'
import * as host from '../hosts/openai.mjs'

export { host }
export const title = 'Effect ExecutionPlan'
export const packages = ['effect', 'openai']
export const setting =
  'a client per step: 2 attempts 0.5 s apart of what the SDK would retry, then the fallback; streams as they come'
export const waitsBeforeFallback = true

class Create extends Context.Service()('Create') {}

const messages = [{ role: 'user', content: 'Hello' }]

const attempt = (body, signal) =>
  Effect.flatMap(Create, (create) =>
    Effect.tryPromise({ try: (own) => create(body, { signal: signal ?? own }), catch: (error) => error }),
  )

export const attach = (candidates) => {
  const [primary, fallback] = candidates.map((candidate) => Context.make(Create, host.createOf(candidate)))
  const plan = ExecutionPlan.make(
    { provide: primary, attempts: 2, schedule: Schedule.spaced('500 millis'), while: worthAnotherTry },
    { provide: fallback },
  )
  return {
    ask: async (signal) => {
      const program = Effect.withExecutionPlan(attempt({ messages }), plan)
      return (await Effect.runPromise(program, { signal })).choices[0].message.content
    },
    stream: (signal) =>
      attempt({ messages, stream: true }, signal).pipe(
        Effect.map((chunks) => Stream.fromAsyncIterable(host.textOf(chunks), (error) => error)),
        Stream.unwrap,
        Stream.withExecutionPlan(plan),
        Stream.toAsyncIterable,
      ),
  }
}
