import type { HostDriver } from '../kit/host.ts'
import { describeHost } from '../kit/host-suite.ts'
import { textOf } from '../kit/send.ts'
import { agentHost, chat, nestedAgent, nestedRunnable, responses, runnableHost } from './hosts.ts'

type Differs = NonNullable<HostDriver['differs']>

const bodyIsLost: Differs[string] = {
  why: 'ChatOpenAI drops the body and fails with a TypeError of its own, which has no class',
  expect: { requests: [1, 0], text: '', surface: { reason: 'unclassified' } },
}

const eventIsDropped = (tokens: number): Differs[string] => ({
  why: 'ChatOpenAI drops error events of the Responses API; what is left is a stream without its end',
  expect: { requests: [1, 0], text: textOf(tokens), surface: { reason: 'incomplete_stream' } },
})

const saysSoItself: Differs[string] = {
  why: 'invoke() streams inside and says itself that nothing came; whether it was executed nobody knows',
  expect: { surface: { reason: 'ambiguous' } },
}

const lostBodies: Differs = {
  'a 200 with an error body is a failure': bodyIsLost,
  'a 200 with a permanent error body goes to the next': bodyIsLost,
}

const ownAbortError = 'LangChain rejects with an error of its own'

describeHost({
  name: 'heedRunnable over ChatOpenAI',
  dialect: 'chat',
  start: runnableHost(chat),
  nest: nestedRunnable(chat),
  differs: lostBodies,
  ownAbortError,
})

describeHost({
  name: 'heedRunnable over ChatOpenAI with the Responses API',
  dialect: 'responses',
  start: runnableHost(responses),
  nest: nestedRunnable(responses),
  differs: {
    'an error event first is tried again': eventIsDropped(0),
    'a permanent error event first goes to the next': eventIsDropped(0),
    'an error event after content surfaces': eventIsDropped(3),
  },
  ownAbortError,
})

describeHost({
  name: 'createAgent with heedModels',
  dialect: 'chat',
  start: agentHost(chat),
  nest: nestedAgent(chat),
  differs: {
    ...lostBodies,
    'a 200 with an error body in place of a stream is no answer': saysSoItself,
    'an empty stream is no answer': saysSoItself,
  },
  cannot: {
    'a consumer that leaves ends the request': 'LangGraph aborts the run: see agent.test.ts',
    'a slow consumer holds the source back': 'a graph pushes what its models emit, and holds it for its consumer',
  },
  ownAbortError,
})
