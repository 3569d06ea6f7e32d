import { once } from 'node:events'

/** Streams so many words of a text and then nothing, until the client leaves. */
export const stall =
  (text, afterWords) =>
  async ({ dialect, model, response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const frame of dialect.opening(model)) response.write(frame)
    const words = text.match(/\S+\s*/g).slice(0, afterWords)
    for (const word of words) response.write(dialect.content(model, word))
    await once(response, 'close')
  }
