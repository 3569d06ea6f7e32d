import { ambiguous } from './ambiguous.mjs'
import { auth } from './auth.mjs'
import { chainDead } from './chain-dead.mjs'
import { outage } from './outage.mjs'
import { overflowLarger } from './overflow-larger.mjs'
import { overflowReduced } from './overflow-reduced.mjs'
import { permanent } from './permanent.mjs'
import { quotaOfHours } from './quota-of-hours.mjs'
import { streamCut } from './stream-cut.mjs'
import { streamRecovers } from './stream-recovers.mjs'
import { transientFloor } from './transient-floor.mjs'
import { unknownClass } from './unknown-class.mjs'

/** In the order in which they are told. */
export const scenarios = [
  transientFloor,
  quotaOfHours,
  permanent,
  auth,
  overflowLarger,
  overflowReduced,
  unknownClass,
  ambiguous,
  streamRecovers,
  streamCut,
  outage,
  chainDead,
]
