import { describeHost } from '../kit/host-suite.ts'
import { driverOf } from './host-of.ts'

/** `runs.test.ts` and `model.test.ts` show what takes their place. */
const cannot = {
  'a consumer that leaves ends the request': 'the runner makes an abort of it, so that heed hears of no consumer',
  'a slow consumer holds the source back': 'the runner reads a model to its end, whatever its own consumer does',
}

describeHost(driverOf('chat', { cannot }))

const hidden = {
  why: 'the model of the SDK throws away the body before anybody can read it, and stumbles over what is missing',
  expect: { requests: [1, 0], text: '', surface: { reason: 'unclassified' } },
} as const

describeHost(
  driverOf('responses', {
    cannot,
    differs: {
      'a 200 with an error body is a failure': hidden,
      'a 200 with a permanent error body goes to the next': hidden,
    },
  }),
)
