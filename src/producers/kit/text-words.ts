/**
 * A text as 32-bit words of its bytes: an engine compares four bytes at once much faster than it reads one character.
 * The buffer is shared, as a search runs from its beginning to its end with nothing between.
 */

const ENCODER = /* @__PURE__ */ new TextEncoder()

/** More than any wording has, at three bytes a character. What does not fit is not searched. */
const MOST_BYTES = 65_536
const ALL = /* @__PURE__ */ new Uint8Array(MOST_BYTES + 4)
const TEXT = /* @__PURE__ */ ALL.subarray(0, MOST_BYTES)

/** The text that was put here last. A zero follows it, which stands in no phrase. */
export const WORDS: Int32Array = /* @__PURE__ */ new Int32Array(ALL.buffer)

/** Puts a text into {@link WORDS}; answers how many bytes it takes. */
export function putWords(text: string): number {
  const { written } = ENCODER.encodeInto(text, TEXT)
  for (let at = written; at < written + 4; at += 1) ALL[at] = 0
  return written
}

/** A text in words, as it stands where it begins `shift` bytes behind the beginning of one. */
export interface Pattern {
  readonly words: Int32Array
  /** The bits of each word that are the text's own. */
  readonly masks: Int32Array
}

export function patternOf(text: string, shift: number): Pattern {
  const bytes = ENCODER.encode(text)
  const end = shift + bytes.length
  const words = new Uint8Array(Math.ceil(end / 4) * 4)
  words.set(bytes, shift)
  const masks = new Uint8Array(words.length).fill(0xff, shift, end)
  return { words: new Int32Array(words.buffer), masks: new Int32Array(masks.buffer) }
}
