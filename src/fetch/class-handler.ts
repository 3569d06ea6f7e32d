import type { AnswerSettings } from './answer-options.ts'
import { httpErrorOf } from './classify-answer.ts'
import { decodeBody } from './decode-body.ts'
import { type BodyRead, bodyTimeout, joined } from './read-body.ts'

/** What undici hands to each callback. */
export interface DispatchController {
  readonly aborted: boolean
  abort(reason: Error): void
}

/** undici's handler, version 7 or 8. */
export interface DispatchHandler {
  onRequestStart?(controller: DispatchController, context: unknown): unknown
  onRequestUpgrade?(controller: DispatchController, status: number, headers: unknown, socket: unknown): unknown
  onResponseStarted?(): unknown
  onResponseStart?(controller: DispatchController, status: number, headers: Headers, statusText?: string): unknown
  onResponseData?(controller: DispatchController, chunk: Uint8Array): unknown
  onResponseEnd?(controller: DispatchController, trailers: unknown): unknown
  onResponseError?(controller: DispatchController, error: unknown): unknown
  onBodySent?(chunk: unknown): unknown
  onRequestSent?(): unknown
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** A failed answer whose body is being read. */
interface Failure {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly chunks: Uint8Array[]
  room: number
  timer: unknown
  over: boolean
}

/** Keeps a failed answer to itself, reads it, and tells the handler behind it an error with its class instead. */
export class ClassHandler implements DispatchHandler {
  readonly #behind: DispatchHandler
  readonly #url: string | undefined
  readonly #settings: AnswerSettings
  #failure: Failure | undefined

  constructor(behind: DispatchHandler, url: string | undefined, settings: AnswerSettings) {
    this.#behind = behind
    this.#url = url
    this.#settings = settings
  }

  /** Called each time that the request is sent: undici and other interceptors send some again by themselves. */
  onRequestStart(controller: DispatchController, context: unknown): unknown {
    if (this.#failure !== undefined) this.#end(this.#failure)
    this.#failure = undefined
    return this.#behind.onRequestStart?.(controller, context)
  }

  onRequestUpgrade(controller: DispatchController, status: number, headers: unknown, socket: unknown): unknown {
    return this.#behind.onRequestUpgrade?.(controller, status, headers, socket)
  }

  onResponseStarted(): unknown {
    return this.#behind.onResponseStarted?.()
  }

  onResponseStart(controller: DispatchController, status: number, headers: Headers, statusText?: string): unknown {
    if (status < 400) return this.#behind.onResponseStart?.(controller, status, headers, statusText)
    const { maxBodyBytes, bodyTimeoutMs, clock } = this.#settings
    const failure: Failure = {
      status,
      headers: plain(headers),
      chunks: [],
      room: maxBodyBytes,
      timer: undefined,
      over: false,
    }
    this.#failure = failure
    if (bodyTimeoutMs < Number.POSITIVE_INFINITY) {
      const late = (): void => this.#cut(failure, controller, bodyTimeout(bodyTimeoutMs))
      failure.timer = clock.setTimeout(late, bodyTimeoutMs)
    }
    return undefined
  }

  onResponseData(controller: DispatchController, chunk: Uint8Array): unknown {
    const failure = this.#failure
    if (failure === undefined) return this.#behind.onResponseData?.(controller, chunk)
    if (failure.over) return undefined
    // undici may use the memory of a chunk again once this returns.
    const kept = Uint8Array.prototype.slice.call(chunk, 0, failure.room)
    failure.chunks.push(kept)
    failure.room -= kept.length
    if (kept.length < chunk.length) this.#cut(failure, controller, undefined)
    return undefined
  }

  onResponseEnd(controller: DispatchController, trailers: unknown): unknown {
    const failure = this.#failure
    if (failure === undefined) return this.#behind.onResponseEnd?.(controller, trailers)
    return failure.over ? undefined : this.#tell(failure, controller, undefined)
  }

  onResponseError(controller: DispatchController, error: unknown): unknown {
    const failure = this.#failure
    if (failure?.over === true) return undefined
    // The caller's own abort stays the caller's; any other end of the body leaves status and headers.
    if (failure !== undefined && !controller.aborted) return this.#tell(failure, controller, error)
    if (failure !== undefined) this.#end(failure)
    return this.#behind.onResponseError?.(controller, error)
  }

  onBodySent(chunk: unknown): unknown {
    return this.#behind.onBodySent?.(chunk)
  }

  onRequestSent(): unknown {
    return this.#behind.onRequestSent?.()
  }

  /** Enough was read: the rest of the answer is cancelled. */
  #cut(failure: Failure, controller: DispatchController, cause: Error | undefined): void {
    this.#end(failure)
    controller.abort(cause ?? new Error('heed: enough of the body was read (maxBodyBytes)'))
    this.#tell(failure, controller, cause)
  }

  #end(failure: Failure): void {
    failure.over = true
    if (failure.timer !== undefined) this.#settings.clock.clearTimeout(failure.timer)
  }

  #tell(failure: Failure, controller: DispatchController, cause: unknown): void {
    this.#end(failure)
    const bytes = joined(failure.chunks)
    const encoding = failure.headers['content-encoding']
    const read: BodyRead = cause === undefined ? { bytes } : { bytes, cause }
    if (encoding === undefined || bytes.length === 0) {
      this.#hand(failure, controller, read)
      return
    }
    // It never rejects: what cannot be unpacked is answered as such.
    void decodeBody(bytes, encoding, this.#settings).then((decoded) => {
      this.#hand(failure, controller, { ...decoded, ...(cause === undefined ? {} : { cause }) })
    })
  }

  #hand({ status, headers }: Failure, controller: DispatchController, read: BodyRead): void {
    this.#behind.onResponseError?.(
      controller,
      httpErrorOf({ status, headers, url: this.#url, ...read }, this.#settings),
    )
  }
}

function plain(headers: Headers): Readonly<Record<string, string>> {
  const entries: [string, string][] = []
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) entries.push([name.toLowerCase(), typeof value === 'string' ? value : value.join(', ')])
  }
  return Object.fromEntries(entries)
}
