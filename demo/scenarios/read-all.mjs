import { wires } from '../client/wires.mjs'

/** Reads a stream to its end, and answers what was seen and how it ended. */
export async function readAll(stream, dialect) {
  const items = []
  let failure
  try {
    for await (const item of stream) items.push(item)
  } catch (error) {
    failure = error
  }
  return { items, text: items.map(wires[dialect].deltaOf).join(''), failure }
}
