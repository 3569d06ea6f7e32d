import { describeHost } from '../kit/host-suite.ts'
import { singleReaderDriver } from './driver.ts'

describeHost(singleReaderDriver('messages'))
