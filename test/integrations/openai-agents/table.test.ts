import { describeHost } from '../kit/host-suite.ts'
import { driverOf } from './host-of.ts'

describeHost(driverOf('chat', {}))

const hidden = {
  why: 'the model of the SDK throws away the body before anybody can read it, and stumbles over what is missing',
  expect: { requests: [1, 0], text: '', surface: { reason: 'unclassified' } },
} as const

describeHost(
  driverOf('responses', {
    differs: {
      'a 200 with an error body is a failure': hidden,
      'a 200 with a permanent error body goes to the next': hidden,
    },
  }),
)
