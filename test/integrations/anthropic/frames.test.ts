import { expect, test } from 'vitest'
import { type Frame, framesOf } from '../../../src/integrations/anthropic/frames.ts'

const BODY = [
  'event: message_start\ndata: {"type":"message_start"}\n\n',
  ': still there\r\n\r\n',
  'event: delta\r\ndata: {"type":"delta",\r\ndata: "text":"grüße 👋"}\r\n\r\n',
  'data:{"type":"message_stop"}\n\n',
]
const ITEMS = [{ type: 'message_start' }, undefined, { type: 'delta', text: 'grüße 👋' }, { type: 'message_stop' }]

async function split(parts: readonly Uint8Array[]): Promise<readonly Frame[]> {
  const frames: Frame[] = []
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
  for await (const frame of framesOf(body)) frames.push(frame)
  return frames
}

test('an event is the same wherever the network cuts it, and what is sent on is what came', async () => {
  const bytes = new TextEncoder().encode(BODY.join(''))
  for (let at = 0; at <= bytes.length; at += 1) {
    const frames = await split([bytes.slice(0, at), bytes.slice(at)])
    expect(frames.map(({ item }) => item)).toEqual(ITEMS)
    expect(frames.map(({ text }) => text).join('')).toBe(BODY.join(''))
  }
  expect((await split([...bytes].map((byte) => Uint8Array.of(byte)))).map(({ item }) => item)).toEqual(ITEMS)
})

test('an event that was cut off is no event', async () => {
  await expect(split([new TextEncoder().encode('data: {"type":"mess')])).rejects.toBeInstanceOf(SyntaxError)
})

test('who leaves cancels the body', async () => {
  let cancelled = false
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('data: {"type":"ping"}\n\n')),
    cancel: () => {
      cancelled = true
    },
  })
  for await (const { item } of framesOf(body)) {
    expect(item).toEqual({ type: 'ping' })
    break
  }
  expect(cancelled).toBe(true)
})
