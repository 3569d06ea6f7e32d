export { advance } from './core/advance.ts'
export { charged, deposited } from './core/budget.ts'
export { type CallFacts, type CallState, startCall } from './core/call-state.ts'
export type { Candidate, Credential, CredentialOf, Target } from './core/candidate.ts'
export { type Classification, ERROR_CLASS_WIRE_SET, type ErrorClass } from './core/classification.ts'
export type { Clock } from './core/clock.ts'
export { type DecideInput, decide } from './core/decide.ts'
export type {
  Advance,
  AdvanceReason,
  Decision,
  Failure,
  Occasion,
  Pause,
  PauseReason,
  Reduce,
  Retry,
  RetryReason,
  Surface,
  SurfaceReason,
} from './core/decision.ts'
export { type CoolingMark, type Marks, NO_MARKS, type Observation, observe, type ProviderMark } from './core/marks.ts'
export type { Budget, Limits, Policy } from './core/policy.ts'
export type { Producer, ProducerEnv } from './core/producer.ts'
export type {
  AuthContext,
  AuthStrategy,
  Backoff,
  BackoffContext,
  BreakerCounter,
  BreakerStrategy,
  OverflowContext,
  OverflowStrategy,
  UnknownStrategy,
  Window,
} from './core/strategy.ts'
export {
  type AttemptRecord,
  HeedError,
  type HeedErrorInit,
  type HeedErrorJson,
  type HeedErrorReason,
  isHeedError,
} from './errors.ts'
export type { PendingPrompt } from './health/auth-desk.ts'
export { HEALTH_EVENTS, type HealthListener } from './health/channel.ts'
export type { HealthEventName, HealthEvents } from './health/events.ts'
export type { CoolingTarget, DeadCandidate, Health, HealthSnapshot, ProviderHealth } from './health/health.ts'
export type { HealthStore, StoreAnswer, StoreEntry, StoreListener, StoreNews, StoreTransport } from './health/store.ts'
export { type Auth, createHealth, type Guard, type HealthOptions, heed, policyOf, unwrap } from './heed.ts'
export type {
  Attempt,
  AttemptLimits,
  BudgetOptions,
  CallOptions,
  HeedOptions,
  Outcome,
  ReduceContext,
  ReduceInput,
  RetryAfterOptions,
  Served,
  StreamOptions,
} from './options.ts'
export type { HeedStream } from './shell/stream.ts'
export { readClassification } from './wire/read-classification.ts'
export { classificationSchema } from './wire/schema.ts'
