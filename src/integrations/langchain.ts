/**
 * heed for LangChain.js: middleware for agents' model calls and tool calls, and a Runnable for everything else.
 *
 * @module
 */
export type { CredentialList, Credentials, ListedCredential } from './kit/credential-list.ts'
export type { AuthInterrupt, OnAuthRequired } from './langchain/auth-interrupt.ts'
export type {
  AnyRunnable,
  ChainLink,
  GivenModel,
  LangChainCandidate,
  MadeModel,
  ModelFields,
  ModelList,
} from './langchain/candidates.ts'
export type { GuardOptions } from './langchain/guard-options.ts'
export type { Middleware, ModelRequest } from './langchain/middleware.ts'
export { type HeedModels, type HeedModelsOptions, heedModels, type ModelCallOptions } from './langchain/models.ts'
export {
  type HeedRunnable,
  type HeedRunnableOptions,
  heedRunnable,
  type InputOf,
  type Listed,
  type OutputOf,
  type RunnableCallOptions,
  type Shown,
} from './langchain/runnable.ts'
export type { HeedMetadata } from './langchain/served.ts'
export { type HeedTool, type HeedTools, type HeedToolsOptions, heedTools } from './langchain/tools.ts'
