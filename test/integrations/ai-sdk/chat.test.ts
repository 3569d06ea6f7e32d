import { describeHost } from '../kit/host-suite.ts'
import { sdkDriver } from './driver.ts'

describeHost(sdkDriver('chat'))
