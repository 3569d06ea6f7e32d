export { authConformance } from './conformance/auth.ts'
export { backoffConformance } from './conformance/backoff.ts'
export { breakerConformance } from './conformance/breaker.ts'
export type { ConformanceCase } from './conformance/conformance-case.ts'
export { overflowConformance } from './conformance/overflow.ts'
export { type StoreConformanceCase, storeConformance } from './conformance/store.ts'
export { unknownConformance } from './conformance/unknown.ts'
export { type FakeClock, type FakeClockOptions, fakeClock } from './fake-clock.ts'
export { type MemoryStore, type MemoryStoreOptions, memoryStore } from './memory-store.ts'
export {
  type Invocation,
  producedError,
  type ScriptedProducer,
  type Step,
  scriptedProducer,
} from './scripted-producer.ts'
export { type AwsTokenBucketOptions, awsTokenBucket } from './simulation/aws-token-bucket.ts'
export type { Behaviour, Clients, NextStep, SimulatedCall, Woken } from './simulation/behaviour.ts'
export { type GrpcThrottleOptions, grpcThrottle } from './simulation/grpc-throttle.ts'
export { heedClients } from './simulation/heed-clients.ts'
export type { HeedClientsOptions } from './simulation/heed-clients-options.ts'
export { goodput, load, recoverySecs } from './simulation/recovery.ts'
export { naiveRetry, noRetry, type RetryingOptions, retrying, type Throttle } from './simulation/retrying.ts'
export type { Phase, ServerScript } from './simulation/server-script.ts'
export { simulate } from './simulation/simulate.ts'
export type {
  Seconds,
  ServerTotals,
  SettledCall,
  SimulationOptions,
  SimulationResult,
} from './simulation/simulation.ts'
export { type SuccessBudgetOptions, successBudget } from './simulation/success-budget.ts'
