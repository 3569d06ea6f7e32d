import { describeHost } from '../kit/host-suite.ts'
import { driverOf } from './host-of.ts'

describeHost(driverOf('chat', {}))
describeHost(driverOf('responses', {}))
