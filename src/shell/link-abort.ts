/** Something that ends at once when it is told to. */
export interface Cancellable {
  cancel(): void
}

/** Told when the caller aborts. */
export interface Abortable {
  abort(): void
}

/** What hears one signal for all who wait on it. Mostly that is one, which then needs no set. */
class Link {
  one: Abortable | undefined
  readonly more = new Set<Abortable>()

  /** A function, and without options: the cheapest listener to add and to take away. */
  readonly listener = (event: Event): void => {
    event.currentTarget?.removeEventListener('abort', this.listener)
    const all = this.one === undefined ? [...this.more] : [this.one, ...this.more]
    this.one = undefined
    this.more.clear()
    let fault: { readonly error: unknown } | undefined
    for (const each of all) {
      try {
        each.abort()
      } catch (error) {
        fault ??= { error }
      }
    }
    // A clock of the user's, say. All the others are told first.
    if (fault !== undefined) throw fault.error
  }
}

const links = new WeakMap<AbortSignal, Link>()

/**
 * Tells `abortable` when a signal aborts. One listener serves all calls that share a signal: adding one each is
 * quadratic, and `AbortSignal.any` leaks on Node 20. The last to unlink takes the listener away.
 */
export function linkAbort(signal: AbortSignal, abortable: Abortable): void {
  let link = links.get(signal)
  if (link === undefined) {
    link = new Link()
    links.set(signal, link)
  }
  if (link.one !== undefined) {
    link.more.add(abortable)
    return
  }
  if (link.more.size === 0) signal.addEventListener('abort', link.listener)
  link.one = abortable
}

/** Stops telling. */
export function unlinkAbort(signal: AbortSignal, abortable: Abortable): void {
  const link = links.get(signal)
  if (link === undefined) return
  if (link.one === abortable) link.one = undefined
  else if (!link.more.delete(abortable)) return
  if (link.one === undefined && link.more.size === 0) signal.removeEventListener('abort', link.listener)
}
