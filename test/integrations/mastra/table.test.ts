import { describeHost } from '../kit/host-suite.ts'
import { mastraDriver } from './driver.ts'

describeHost(mastraDriver)
