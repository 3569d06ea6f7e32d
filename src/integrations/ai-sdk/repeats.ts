/** What two calls of a model are compared by. */
interface Asked {
  readonly prompt?: unknown
  readonly values?: unknown
  readonly headers?: object | undefined
  readonly abortSignal?: AbortSignal | undefined
}

interface Failed {
  readonly asked: Asked
  /** The SDK's own retries would repeat such a failure. */
  readonly invites: boolean
}

/** Calls that heed itself makes, of a model that is a heed too: they are attempts, and counted as such. */
const own = new WeakSet<object>()

/** Marks the options of an attempt. */
export function asOwn<T extends object>(options: T): T {
  own.add(options)
  return options
}

/**
 * Notices a layer above that repeats what heed gave up. A model is not told of `maxRetries` or `streamRetries`: it only
 * sees the same prompt again, right after it failed. The first time, it warns in the way that the SDK warns.
 */
export class Repeats {
  readonly #model: { readonly provider: string; readonly modelId: string }
  #last: Failed | undefined
  #warned = false

  constructor(model: { readonly provider: string; readonly modelId: string }) {
    this.#model = model
  }

  /** A call comes in. */
  asked(options: Asked): void {
    const last = this.#last
    if (this.#warned || last === undefined || own.has(options) || !isSame(last, options)) return
    this.#warned = true
    this.#last = undefined
    warn(
      'heed: a call that had failed was made again with the same prompt. Where that was the work of maxRetries or ' +
        'streamRetries, set maxRetries: 0 and leave streamRetries out: heed has made the attempts already, and knows ' +
        'which calls must not be repeated.',
      this.#model,
    )
  }

  /** A call has failed, by what was thrown or by an `error` part. */
  failed(options: Asked, error: unknown, part = false): void {
    if (this.#warned || options.abortSignal?.aborted === true) return
    this.#last = { asked: options, invites: part || isRetryable(error) }
  }
}

/** As the SDK asks; an error that cannot be read invites nothing. */
function isRetryable(error: unknown): boolean {
  try {
    return (Object(error) as { readonly isRetryable?: unknown }).isRetryable === true
  } catch {
    return false
  }
}

/**
 * The SDK makes the headers of a call once and the prompt of each retry anew; Mastra hands on the same prompt. Without
 * either, a person may have asked the same again, unless the failure is one that the SDK repeats.
 */
function isSame({ asked, invites }: Failed, now: Asked): boolean {
  if (asked.prompt !== undefined && asked.prompt === now.prompt) return true
  if (asked.headers !== now.headers || asked.abortSignal !== now.abortSignal) return false
  return (invites || now.headers !== undefined) && alike(asked.prompt ?? asked.values, now.prompt ?? now.values)
}

/** Whether two prompts say the same. Bytes are compared by their number: it is only for a warning. */
function alike(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b)
  if (a instanceof URL || b instanceof URL) return String(a) === String(b)
  if (ArrayBuffer.isView(a) || ArrayBuffer.isView(b)) {
    return (a as Partial<ArrayBufferView>).byteLength === (b as Partial<ArrayBufferView>).byteLength
  }
  const [ours, theirs] = [Object.entries(a), Object.entries(b)]
  return ours.length === theirs.length && ours.every(([name, value]) => alike(value, (b as Item)[name]))
}

type Item = { readonly [name: string]: unknown }

/** As the SDK's own logger: the result that would carry the warning may never come. */
function warn(message: string, { provider, modelId: model }: { provider: string; modelId: string }): void {
  const { AI_SDK_LOG_WARNINGS: log } = globalThis as { AI_SDK_LOG_WARNINGS?: unknown }
  if (log === false) return
  try {
    if (typeof log === 'function') log({ warnings: [{ type: 'other', message }], provider, model })
    else console.warn(message)
  } catch {
    // A logger that throws fails no call.
  }
}
