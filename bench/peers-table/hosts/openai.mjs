// The OpenAI SDK: a candidate is a client and the name of its model.
import OpenAI from 'openai'

export const title = 'OpenAI SDK'
export const dialect = 'openai'
export const packages = ['openai']

const messages = [{ role: 'user', content: 'Hello' }]

/** Its own repeats are off but where they are the subject. */
export const clientOf = ({ baseUrl, fetch }, maxRetries = 0) =>
  new OpenAI({ apiKey: 'bench', baseURL: `${baseUrl}/v1`, maxRetries, fetch })

/** `chat.completions.create` of one client, with its model. */
export const createOf = (candidate, maxRetries) => {
  const client = clientOf(candidate, maxRetries)
  return (body, options) => client.chat.completions.create({ model: candidate.model, ...body }, options)
}

export async function* textOf(chunks) {
  for await (const chunk of chunks) {
    const text = chunk.choices[0]?.delta?.content
    if (text) yield text
  }
}

/** @param {(body: any, options: { signal?: AbortSignal }) => PromiseLike<any>} create */
export const callerOf = (create) => ({
  ask: async (signal) => (await create({ messages }, { signal })).choices[0].message.content,
  stream: async function* (signal) {
    yield* textOf(await create({ messages, stream: true }, { signal }))
  },
})

export const bare = (candidate) => callerOf(createOf(candidate))
