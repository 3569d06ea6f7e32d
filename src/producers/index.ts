import { aiSdk } from './ai-sdk.ts'
import { anthropic } from './anthropic.ts'
import { azureOpenai } from './azure-openai.ts'
import { bedrock } from './bedrock.ts'
import { brama } from './brama.ts'
import { broca } from './broca.ts'
import { cerebras } from './cerebras.ts'
import { cockatiel } from './cockatiel.ts'
import { cohere } from './cohere.ts'
import { contextgraph } from './contextgraph.ts'
import { dashscope } from './dashscope.ts'
import { deepseek } from './deepseek.ts'
import { fireworks } from './fireworks.ts'
import { gemini } from './gemini.ts'
import { geminiCodeAssist } from './gemini-code-assist.ts'
import { genericGateway } from './generic-gateway.ts'
import { githubCopilot } from './github-copilot.ts'
import { groq } from './groq.ts'
import { http } from './http.ts'
import { huggingface } from './huggingface.ts'
import { langchain } from './langchain.ts'
import { llamaCpp } from './llama.cpp.ts'
import { llm } from './llm.ts'
import { lmstudio } from './lmstudio.ts'
import { mcp } from './mcp.ts'
import { minimax } from './minimax.ts'
import { mistral } from './mistral.ts'
import { moonshot } from './moonshot.ts'
import { nodeUndici } from './node-undici.ts'
import { ollama } from './ollama.ts'
import { openai } from './openai.ts'
import { openaiChatgpt } from './openai-chatgpt.ts'
import { openaiCompatible } from './openai-compatible.ts'
import { openaiResponses } from './openai-responses.ts'
import { opencodeZen } from './opencode-zen.ts'
import { openrouter } from './openrouter.ts'
import { orpcAgent } from './orpc-agent.ts'
import type { AdapterProducer } from './producer.ts'
import { sglang } from './sglang.ts'
import { together } from './together.ts'
import { vertex } from './vertex.ts'
import { vllm } from './vllm.ts'
import { volcengineArk } from './volcengine-ark.ts'
import { xai } from './xai.ts'
import { zai } from './zai.ts'

export type { AdapterProducer, Classification, ErrorClass, Family, Producer, ProducerEnv } from './producer.ts'
export { llm }

/** The ids of the families, which are the names of the subpaths too. */
export type FamilyId =
  | 'openai'
  | 'openai-responses'
  | 'openai-chatgpt'
  | 'azure-openai'
  | 'anthropic'
  | 'gemini'
  | 'vertex'
  | 'gemini-code-assist'
  | 'bedrock'
  | 'openrouter'
  | 'groq'
  | 'mistral'
  | 'cohere'
  | 'deepseek'
  | 'xai'
  | 'together'
  | 'fireworks'
  | 'moonshot'
  | 'zai'
  | 'dashscope'
  | 'minimax'
  | 'cerebras'
  | 'volcengine-ark'
  | 'huggingface'
  | 'github-copilot'
  | 'opencode-zen'
  | 'ollama'
  | 'vllm'
  | 'llama.cpp'
  | 'lmstudio'
  | 'sglang'
  | 'openai-compatible'
  | 'generic-gateway'
  | 'mcp'
  | 'node-undici'
  | 'http'
  | 'cockatiel'
  | 'ai-sdk'
  | 'langchain'
  | 'broca'
  | 'brama'
  | 'orpc-agent'
  | 'contextgraph'

/**
 * The adapters by the id of their family, to choose one by configuration. Importing `heed/producers/<id>` instead brings
 * in that one alone.
 */
export const producers: Readonly<Record<FamilyId, AdapterProducer>> = {
  openai,
  'openai-responses': openaiResponses,
  'openai-chatgpt': openaiChatgpt,
  'azure-openai': azureOpenai,
  anthropic,
  gemini,
  vertex,
  'gemini-code-assist': geminiCodeAssist,
  bedrock,
  openrouter,
  groq,
  mistral,
  cohere,
  deepseek,
  xai,
  together,
  fireworks,
  moonshot,
  zai,
  dashscope,
  minimax,
  cerebras,
  'volcengine-ark': volcengineArk,
  huggingface,
  'github-copilot': githubCopilot,
  'opencode-zen': opencodeZen,
  ollama,
  vllm,
  'llama.cpp': llamaCpp,
  lmstudio,
  sglang,
  'openai-compatible': openaiCompatible,
  'generic-gateway': genericGateway,
  mcp,
  'node-undici': nodeUndici,
  http,
  cockatiel,
  'ai-sdk': aiSdk,
  langchain,
  broca,
  brama,
  'orpc-agent': orpcAgent,
  contextgraph,
}
