import type { Scenario } from '../scenario.ts'
import { textOf } from '../send.ts'
import { answer, answerWithErrorBody, emptyStream, errorEvent, malformedEvent, unfinished } from '../steps.ts'

const served = answer('from a')

/** What goes wrong inside a stream whose connection is sound. */
export const streamFaultScenarios: readonly Scenario[] = (
  [
    {
      name: 'an error event first is tried again',
      a: ({ refusals }) => [errorEvent(refusals.transientInStream), served],
      ends: { requests: [2, 0], text: 'from a' },
    },
    {
      name: 'a permanent error event first goes to the next',
      a: ({ refusals }) => [errorEvent(refusals.permanentInStream)],
      ends: { requests: [1, 1], text: 'from b' },
    },
    {
      name: 'an error event after content surfaces',
      a: ({ refusals, read }) => [errorEvent(refusals.transientInStream, { afterTokens: 3, when: read }), served],
      options: { idempotent: true },
      ends: { requests: [1, 0], text: textOf(3), surface: { reason: 'committed', class: 'transient' } },
    },
    {
      name: 'a malformed event first passes through',
      a: () => [malformedEvent({}), served],
      options: { idempotent: true },
      ends: { requests: [1, 0], text: '', surface: { reason: 'unclassified' } },
    },
    {
      name: 'a malformed event after content surfaces',
      a: ({ read }) => [malformedEvent({ afterTokens: 3, when: read }), served],
      options: { idempotent: true },
      ends: { requests: [1, 0], text: textOf(3), surface: { reason: 'committed' } },
    },
    {
      name: 'a 200 with an error body in place of a stream is no answer',
      a: ({ refusals }) => [answerWithErrorBody(refusals.quotaExhausted.body)],
      ends: { requests: [1, 0], text: '', surface: { reason: 'incomplete_stream' } },
    },
    {
      name: 'an empty stream is no answer',
      a: () => [emptyStream, served],
      ends: { requests: [1, 0], text: '', surface: { reason: 'incomplete_stream' } },
    },
    {
      name: 'an empty stream of an idempotent call is tried again',
      a: () => [emptyStream, served],
      options: { idempotent: true },
      ends: { requests: [2, 0], text: 'from a' },
    },
    {
      name: 'an end after the preamble is no answer',
      a: () => [unfinished({}), served],
      ends: { requests: [1, 0], text: '', surface: { reason: 'incomplete_stream' } },
    },
    {
      name: 'an end without the finish surfaces',
      a: () => [unfinished({ afterTokens: 5 }), served],
      options: { idempotent: true },
      ends: { requests: [1, 0], text: textOf(5), surface: { reason: 'incomplete_stream' } },
    },
  ] satisfies readonly Omit<Scenario, 'asks'>[]
).map((scenario) => ({ asks: 'stream', ...scenario }))
