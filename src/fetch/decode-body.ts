import { type BodyLimits, readBody } from './read-body.ts'

/** Content codings to the formats of `DecompressionStream`. Brotli and Zstandard only newer runtimes can decode. */
const FORMATS: Readonly<Record<string, string>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'brotli',
  zstd: 'zstd',
}

/**
 * Undoes content codings, the last applied first, within the limits: a few bytes can unpack to gigabytes.
 *
 * @returns What could be unpacked, with a cause where that is not all; no bytes where the runtime cannot decode it.
 */
export async function decodeBody(
  bytes: Uint8Array,
  encoding: string,
  limits: BodyLimits,
): Promise<{ readonly bytes: Uint8Array; readonly cause?: unknown }> {
  const codings = encoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
  let read: { readonly bytes: Uint8Array; readonly cause?: unknown } = { bytes }
  for (const coding of codings.reverse()) {
    if (coding === '' || coding === 'identity') continue
    try {
      const unpack = new DecompressionStream(FORMATS[coding] as CompressionFormat)
      const stream = new Response(read.bytes as Uint8Array<ArrayBuffer>).body?.pipeThrough(unpack)
      read = await readBody(stream, limits)
    } catch (cause) {
      return { bytes: new Uint8Array(), cause }
    }
  }
  return read
}
