export { authConformance } from './conformance/auth.ts'
export { backoffConformance } from './conformance/backoff.ts'
export { breakerConformance } from './conformance/breaker.ts'
export type { ConformanceCase } from './conformance/conformance-case.ts'
export { overflowConformance } from './conformance/overflow.ts'
export { unknownConformance } from './conformance/unknown.ts'
export { type FakeClock, type FakeClockOptions, fakeClock } from './fake-clock.ts'
export {
  type Invocation,
  producedError,
  type ScriptedProducer,
  type Step,
  scriptedProducer,
} from './scripted-producer.ts'
