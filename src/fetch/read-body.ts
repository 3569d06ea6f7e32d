import type { Clock } from '../core/clock.ts'
import { linkAbort, unlinkAbort } from '../shell/link-abort.ts'

/** How far a body is read. */
export interface BodyLimits {
  readonly maxBodyBytes: number
  /** `Infinity` is no limit. */
  readonly bodyTimeoutMs: number
  readonly clock: Clock
  readonly abortSignal?: AbortSignal | undefined
}

/** What was read, and why no more where that was no bound of ours. */
export interface BodyRead {
  readonly bytes: Uint8Array
  readonly cause?: unknown
}

/** Said where a body took too long. */
export function bodyTimeout(bodyTimeoutMs: number): Error {
  return new Error(`heed: the body took longer than bodyTimeoutMs (${bodyTimeoutMs})`)
}

/** A body that is read chunk by chunk, whatever client it is from. */
interface Source {
  next(): PromiseLike<{ readonly done?: boolean | undefined; readonly value?: unknown }>
  cancel(): unknown
}

type Stop = 'aborted' | 'timeout'

/**
 * Reads a body within its limits and cancels the rest. A body that breaks or stalls is no failure of its own: what came
 * before that is answered.
 *
 * @throws The signal's own reason, at once, when the caller aborts.
 */
export async function readBody(body: unknown, limits: BodyLimits): Promise<BodyRead> {
  const { abortSignal, bodyTimeoutMs, clock } = limits
  const chunks: Uint8Array[] = []
  let room = limits.maxBodyBytes
  let source: Source | undefined
  const stop = stopFor(limits)
  const read = (cause?: unknown): BodyRead => ({ bytes: joined(chunks), ...(cause === undefined ? {} : { cause }) })
  try {
    source = sourceOf(body)
    if (abortSignal?.aborted === true) throw abortSignal.reason
    const endMs = clock.now() + bodyTimeoutMs
    while (source !== undefined && room > 0) {
      const step = await Promise.race([stop.reached, source.next()])
      if (step === 'aborted') throw abortSignal?.reason
      if (step === 'timeout') return read(bodyTimeout(bodyTimeoutMs))
      if (step.done === true) {
        source = undefined
        break
      }
      const chunk = bytesOf(step.value).subarray(0, room)
      chunks.push(chunk)
      // One without bytes takes room too, or a body of nothing else would have no end.
      room -= Math.max(chunk.length, 1)
      // The race alone does not stop a body whose next chunk is always there: no timer fires between promises.
      if (room > 0 && clock.now() >= endMs) return read(bodyTimeout(bodyTimeoutMs))
    }
    return read()
  } catch (cause) {
    if (abortSignal?.aborted === true) throw abortSignal.reason
    return read(cause)
  } finally {
    stop.release()
    if (source !== undefined) cancel(source)
  }
}

/** Resolves when the caller aborts or the time is over. */
function stopFor({ abortSignal, bodyTimeoutMs, clock }: BodyLimits): { reached: Promise<Stop>; release: () => void } {
  let release = (): void => undefined
  const reached = new Promise<Stop>((resolve) => {
    const timer =
      bodyTimeoutMs < Number.POSITIVE_INFINITY ? clock.setTimeout(() => resolve('timeout'), bodyTimeoutMs) : undefined
    const abortable = { abort: () => resolve('aborted') }
    if (abortSignal !== undefined) linkAbort(abortSignal, abortable)
    release = () => {
      if (timer !== undefined) clock.clearTimeout(timer)
      if (abortSignal !== undefined) unlinkAbort(abortSignal, abortable)
    }
  })
  return { reached, release }
}

/** A web stream, or what Node's older clients have: anything that can be iterated. */
function sourceOf(body: unknown): Source | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { getReader } = body as Partial<ReadableStream>
  if (typeof getReader === 'function') {
    const reader = (body as ReadableStream).getReader()
    return { next: () => reader.read(), cancel: () => reader.cancel() }
  }
  if (typeof (body as AsyncIterable<unknown>)[Symbol.asyncIterator] !== 'function') return undefined
  const iterator = (body as AsyncIterable<unknown>)[Symbol.asyncIterator]()
  const { destroy } = body as { destroy?: () => unknown }
  // Returning waits for the read in flight, which may never come; destroying does not.
  const end = typeof destroy === 'function' ? () => destroy.call(body) : () => iterator.return?.()
  return { next: () => iterator.next(), cancel: end }
}

/** Nobody waits for it, and nobody cares whether it fails: the answer is known. */
function cancel(source: Source): void {
  try {
    Promise.resolve(source.cancel()).catch(() => undefined)
  } catch {
    // As above.
  }
}

function bytesOf(chunk: unknown): Uint8Array {
  if (typeof chunk === 'string') return new TextEncoder().encode(chunk)
  if (!ArrayBuffer.isView(chunk)) throw new TypeError('heed: the body is no stream of bytes')
  return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}

/** Chunks, end to end. */
export function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}
