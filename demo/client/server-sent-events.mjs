/**
 * Reads server-sent events and yields the data of each, parsed. `[DONE]` ends the stream.
 *
 * @param {AsyncIterable<Uint8Array>} body Closed when the reader is left early, or fails.
 */
export async function* readEvents(body) {
  const decoder = new TextDecoder()
  let pending = ''
  for await (const bytes of body) {
    pending += decoder.decode(bytes, { stream: true })
    const blocks = pending.split(/\r?\n\r?\n/)
    // What follows the last blank line may go on in the next chunk.
    pending = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = dataOf(block)
      if (data === '[DONE]') return
      if (data !== '') yield JSON.parse(data)
    }
  }
}

function dataOf(block) {
  return block
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).replace(/^ /, ''))
    .join('\n')
}
