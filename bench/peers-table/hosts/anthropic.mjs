// The Anthropic SDK: a candidate is a client and the name of its model.
import Anthropic from '@anthropic-ai/sdk'

export const title = 'Anthropic SDK'
export const dialect = 'anthropic'
export const packages = ['@anthropic-ai/sdk']

const question = { max_tokens: 64, messages: [{ role: 'user', content: 'Hello' }] }

export const clientOf = ({ baseUrl, fetch }, maxRetries = 0) =>
  new Anthropic({ apiKey: 'bench', baseURL: baseUrl, maxRetries, fetch })

export const createOf = (candidate, maxRetries) => {
  const client = clientOf(candidate, maxRetries)
  return (body, options) => client.messages.create({ model: candidate.model, ...body }, options)
}

/** @param {(body: any, options: { signal?: AbortSignal }) => PromiseLike<any>} create */
export const callerOf = (create) => ({
  ask: async (signal) => (await create(question, { signal })).content[0].text,
  stream: async function* (signal) {
    for await (const event of await create({ ...question, stream: true }, { signal })) {
      if (event.type === 'content_block_delta') yield event.delta.text
    }
  },
})

export const bare = (candidate) => callerOf(createOf(candidate))
