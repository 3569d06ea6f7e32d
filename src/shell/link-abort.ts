/** Told when the caller aborts. */
export interface Abortable {
  abort(): void
}

/** What hears one signal for all who wait on it. */
class Link {
  readonly linked = new Set<Abortable>()

  handleEvent(): void {
    const all = [...this.linked]
    this.linked.clear()
    for (const each of all) each.abort()
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
  if (link.linked.size === 0) signal.addEventListener('abort', link, { once: true })
  link.linked.add(abortable)
}

/** Stops telling. */
export function unlinkAbort(signal: AbortSignal, abortable: Abortable): void {
  const link = links.get(signal)
  if (link?.linked.delete(abortable) && link.linked.size === 0) signal.removeEventListener('abort', link)
}
