/**
 * heed for the OpenAI Agents SDK: {@link heedModel} is a `Model` with fallback, {@link heedModelProvider} a
 * `ModelProvider`, and {@link heedRetryPolicy} lets the runner's own retries go by the class of a failure.
 *
 * Works with `@openai/agents-core` from 0.17.0 on, the oldest version that it is tested with; `getRetryAdvice`, and the
 * mark by which its models leave repeats to others, must be there.
 */

export type { CredentialList, Credentials, ListedCredential } from './kit/credential-list.ts'
export type { AgentsProducer } from './openai-agents/agents-producer.ts'
export type {
  GivenModel,
  MadeModel,
  ModelAttempt,
  ModelCandidate,
  ModelFields,
  ModelList,
  NamedCandidate,
} from './openai-agents/candidates.ts'
export { type HeedModel, type HeedModelOptions, heedModel } from './openai-agents/model.ts'
export {
  type HeedModelProvider,
  type HeedModelProviderOptions,
  heedModelProvider,
  type ModelProviderCandidate,
} from './openai-agents/model-provider.ts'
export { type HeedRetryPolicyOptions, heedRetryPolicy } from './openai-agents/retry-policy.ts'
