import { anthropic } from './anthropic.ts'
import { azureOpenai } from './azure-openai.ts'
import { bedrock } from './bedrock.ts'
import { cerebras } from './cerebras.ts'
import { cohere } from './cohere.ts'
import { dashscope } from './dashscope.ts'
import { deepseek } from './deepseek.ts'
import { fireworks } from './fireworks.ts'
import { gemini } from './gemini.ts'
import { geminiCodeAssist } from './gemini-code-assist.ts'
import { githubCopilot } from './github-copilot.ts'
import { groq } from './groq.ts'
import { huggingface } from './huggingface.ts'
import { llamaCpp } from './llama.cpp.ts'
import { lmstudio } from './lmstudio.ts'
import { mcp } from './mcp.ts'
import { minimax } from './minimax.ts'
import { mistral } from './mistral.ts'
import { moonshot } from './moonshot.ts'
import { ollama } from './ollama.ts'
import { openai } from './openai.ts'
import { openaiChatgpt } from './openai-chatgpt.ts'
import { openaiResponses } from './openai-responses.ts'
import { opencodeZen } from './opencode-zen.ts'
import { openrouter } from './openrouter.ts'
import type { AdapterProducer } from './producer.ts'
import { sglang } from './sglang.ts'
import { together } from './together.ts'
import { vertex } from './vertex.ts'
import { vllm } from './vllm.ts'
import { volcengineArk } from './volcengine-ark.ts'
import { xai } from './xai.ts'
import { zai } from './zai.ts'

/**
 * The API families that can be told by a mark of their own, the more particular before the more general: what several
 * could have sent is asked of the first whose mark it bears.
 */
export const families: readonly AdapterProducer[] = [
  geminiCodeAssist,
  vertex,
  gemini,
  bedrock,
  openrouter,
  opencodeZen,
  githubCopilot,
  openaiChatgpt,
  azureOpenai,
  groq,
  cerebras,
  mistral,
  cohere,
  deepseek,
  xai,
  together,
  fireworks,
  moonshot,
  minimax,
  zai,
  dashscope,
  volcengineArk,
  huggingface,
  llamaCpp,
  ollama,
  lmstudio,
  vllm,
  sglang,
  mcp,
  anthropic,
  openaiResponses,
  openai,
]
