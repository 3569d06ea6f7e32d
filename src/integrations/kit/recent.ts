/** As many as a process plausibly asks for; where the names come from outside there may be any number of them. */
const MOST = 100

/** What was made for each name, kept for the names that were asked for last. */
export class Recent<K, V> {
  readonly #made = new Map<K, V>()

  /** What was made for the name before, else what `make` makes for it now. */
  of(name: K, make: () => V): V {
    const known = this.#made.get(name)
    const made = known ?? make()
    // A map keeps the order in which names were set: the first is the one that was asked for longest ago.
    this.#made.delete(name)
    this.#made.set(name, made)
    if (this.#made.size > MOST) this.#made.delete(this.#made.keys().next().value as K)
    return made
  }

  /** Makes it anew the next time. */
  forget(name: K): void {
    this.#made.delete(name)
  }
}
