/** Every subject, by its file, in the order of the table: each host's own, its peers, heed. */
export const subjectIds = [
  'no-retry',
  'openai-sdk',
  'p-retry',
  'cockatiel',
  'effect',
  'heed-openai',
  'anthropic-sdk',
  'heed-anthropic',
  'ai-sdk',
  'ai-retry',
  'ai-fallback',
  'heed-ai-sdk',
  'langchain-fallbacks',
  'heed-langchain',
  'langchain-retry',
  'langchain-middleware',
  'heed-langchain-agent',
  'openai-agents',
  'heed-openai-agents',
  'mastra',
  'heed-mastra',
]

/**
 * One subject: who it is (`title`, `host`, `packages`, `setting`), whether it asks one provider only (`onlyOne`) or waits
 * before it falls back, and `attach(candidates)`, which makes one object for all calls.
 * @param {string} id
 */
export const subjectNamed = async (id) => {
  if (!subjectIds.includes(id)) throw new Error(`${id} is not one of ${subjectIds.join(', ')}`)
  return { id, ...(await import(`./${id}.mjs`)) }
}
