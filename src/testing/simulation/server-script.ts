/** When a phase of a server's script holds: from its start to before its end, in milliseconds of virtual time. */
interface During {
  readonly fromMs: number
  readonly untilMs: number
}

/** What goes wrong at a server for a while. */
export type Phase =
  /** It works at a part of its capacity; at 0 it works not at all, and what it was asked waits. */
  | (During & { readonly kind: 'brown_out'; readonly capacity: number })
  /** It refuses everything at once: `transient`, with `retryAfterSecs` where it is given. */
  | (During & { readonly kind: 'outage'; readonly retryAfterSecs?: number })
  /** It refuses a share of the requests at once, each by chance: `transient`, without a hint. */
  | (During & { readonly kind: 'flaky'; readonly share: number })
  /**
   * It takes so many requests in each window, counted over all clients, and refuses the others at once: `transient`,
   * with the rest of the window as `retry_after_secs`. Of rate windows that overlap each must have room; what one
   * refuses is counted in none, and told the longest rest of those that are full. What a later phase or a full queue
   * refuses is counted: the window had let it through.
   */
  | (During & { readonly kind: 'rate_window'; readonly windowMs: number; readonly requests: number })
  /**
   * It refuses a credential (any, where none is named) at once: `auth_required`. When the phase ends, a human tells
   * every client that the provider is resolved.
   */
  | (During & { readonly kind: 'revoked_key'; readonly credential?: string })

/** A server that serves in the order of asking, one request after the other, each in the same time. */
export interface ServerScript {
  /** Requests that it serves in a second. One takes `1 / capacityPerSec` seconds. */
  readonly capacityPerSec: number
  /**
   * Requests in its care beyond which it refuses at once, `transient` and without a hint.
   *
   * @defaultValue `Infinity`: it sheds nothing, and serves requests whose client has long given up. That is the harsh
   * case, in which retries can keep a server down.
   */
  readonly queueLimit?: number
  /**
   * Milliseconds until a refusal is answered.
   *
   * @defaultValue 0: in the same instant, after whatever else was to happen in it
   */
  readonly refusalMs?: number
  /** What goes wrong. Of phases that overlap the earlier in the list answers first. */
  readonly phases?: readonly Phase[]
}
