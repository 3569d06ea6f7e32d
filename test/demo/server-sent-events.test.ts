import { expect, test } from 'vitest'
import { readEvents } from '../../demo/client/server-sent-events.mjs'

/** The events of a text, however it is cut into chunks. */
async function eventsOf(text: string, chunkBytes: number): Promise<unknown[]> {
  const bytes = new TextEncoder().encode(text)
  async function* body(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
  }
  const events: unknown[] = []
  for await (const event of readEvents(body())) events.push(event)
  return events
}

const TEXT = [
  ': a comment\n\n',
  'event: named\ndata: {"text":"ça va – 你好"}\n\n',
  'data: {"lines":\ndata: 2}\r\n\r\n',
  'data:{"tight":true}\n\n',
  'data: [DONE]\n\n',
  'data: {"after":"the end"}\n\n',
].join('')

test.each([1, 2, 3, 7, 1_000])('events are the same when the bytes come %i at a time', async (chunkBytes) => {
  expect(await eventsOf(TEXT, chunkBytes)).toEqual([{ text: 'ça va – 你好' }, { lines: 2 }, { tight: true }])
})

test('an event that was not closed by a blank line is not one', async () => {
  expect(await eventsOf('data: {"a":1}\n\ndata: {"b":', 100)).toEqual([{ a: 1 }])
})

test('leaving early closes the body', async () => {
  let closed = false
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield new TextEncoder().encode('data: {}\n\n')
    } finally {
      closed = true
    }
  }
  for await (const _ of readEvents(body())) break
  expect(closed).toBe(true)
})
