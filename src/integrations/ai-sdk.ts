/**
 * heed for Vercel's AI SDK: a chain of models that is a model, for `generateText`, `streamText`, `generateObject`, tools
 * and agents, and for everything else that takes a model of its specification (Mastra's agents do).
 *
 * @module
 */
export type { AnyLanguageModel } from './ai-sdk/as-v4.ts'
export type { HeedCallSettings } from './ai-sdk/call-settings.ts'
export type { ChainLink, GivenModel, MadeModel, ModelCandidate, ModelFields, ModelList } from './ai-sdk/candidates.ts'
export {
  type AnyEmbeddingModel,
  type HeedEmbeddingModel,
  type HeedEmbeddingModelOptions,
  heedEmbeddingModel,
} from './ai-sdk/embedding-model.ts'
export { type HeedModel, type HeedModelOptions, heedModel } from './ai-sdk/language-model.ts'
export { type HeedMiddleware, type HeedMiddlewareOptions, heedMiddleware } from './ai-sdk/middleware.ts'
export type { HeedMetadata } from './ai-sdk/served.ts'
export type { CredentialList, Credentials, ListedCredential } from './kit/credential-list.ts'
