/** One server-sent event: as it was sent, and what its data says. */
export interface Frame {
  /** The event with the empty line after it. */
  readonly text: string
  /** The data as parsed JSON; nothing where there is none (a comment, which keeps a connection alive). */
  readonly item: unknown
}

const BOUNDARY = /\r\n\r\n|\n\n|\r\r/g

/**
 * Splits the body of an event stream. What is left at its end without a boundary is an event that was cut off.
 *
 * @throws SyntaxError where an event's data is no JSON, as the SDK would.
 */
export async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let buffer = ''
  let ended = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      // A boundary may lie across two reads: the last characters before are looked at again.
      BOUNDARY.lastIndex = Math.max(0, buffer.length - 3)
      buffer += done ? decoder.decode() : decoder.decode(value, { stream: true })
      let start = 0
      for (let found = BOUNDARY.exec(buffer); found !== null; found = BOUNDARY.exec(buffer)) {
        const end = found.index + found[0].length
        const { lastIndex } = BOUNDARY
        yield frameOf(buffer.slice(start, end))
        // Whoever was handed the event may have split another stream meanwhile.
        BOUNDARY.lastIndex = lastIndex
        start = end
      }
      buffer = buffer.slice(start)
      if (!done) continue
      ended = true
      if (buffer.trim() !== '') yield frameOf(buffer)
      return
    }
  } finally {
    if (!ended) reader.cancel().catch(() => undefined)
  }
}

function frameOf(text: string): Frame {
  const lines = text.split(/\r\n|\n|\r/)
  const data = lines
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5))
    .join('\n')
    .trim()
  // The SDK reads no ping, and nothing without a name: gateways say `[DONE]` so.
  const isRead = data.startsWith('{') || lines.some((line) => /^event:(?! ?ping$)/.test(line))
  return { text, item: data !== '' && isRead ? JSON.parse(data) : undefined }
}
