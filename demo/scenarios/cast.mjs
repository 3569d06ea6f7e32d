/** The models that the scenarios put on their chains, as candidates describe them: each still needs a script. */

export const claude = { provider: 'anthropic', dialect: 'anthropic', model: 'claude-sonnet-4', contextWindow: 200_000 }
export const gpt = { provider: 'openai', dialect: 'openai', model: 'gpt-4o', contextWindow: 128_000 }
export const zen = { provider: 'zen', dialect: 'openai', model: 'qwen3-coder', contextWindow: 262_144 }
export const vllm = { provider: 'vllm', dialect: 'openai', model: 'mistral-small', contextWindow: 16_384 }
export const vllmTwin = { provider: 'vllm', dialect: 'openai', model: 'phi-4', contextWindow: 16_384 }

/** A conversation of one line. */
export const hello = [{ role: 'user', content: 'What is a quorum?' }]

/** What a model answers when it is asked that and all is well. */
export const REPLY = 'The least number of members who must agree for a decision to count.'
