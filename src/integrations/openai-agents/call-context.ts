/**
 * Runs functions in the async context in which it was made. The runner keeps its trace there, and a repeat is begun by
 * whoever wakes the call: a timer that many calls share, or the person who signs in.
 *
 * The reaction of a promise runs in the context in which it was attached, wherever the SDK runs; `AsyncLocalStorage`
 * would have to come from Node.
 */
export class CallContext {
  readonly #jobs: (() => void)[] = []
  #enter!: () => void

  constructor() {
    this.#attach()
  }

  run<T>(fn: () => T | PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#jobs.push(() => {
        try {
          resolve(fn())
        } catch (error) {
          reject(error)
        }
      })
      this.#enter()
    })
  }

  /** The source, read and closed in this context. */
  reading<T>(source: AsyncIterable<T>): AsyncIterable<T> {
    return {
      [Symbol.asyncIterator]: () => {
        const items = source[Symbol.asyncIterator]()
        return {
          next: () => this.run(() => items.next()),
          return: () => this.run(async () => (await items.return?.()) ?? { done: true, value: undefined }),
        }
      },
    }
  }

  #attach(): void {
    const entered = new Promise<void>((enter) => {
      this.#enter = enter
    })
    entered.then(() => {
      this.#attach()
      for (const job of this.#jobs.splice(0)) job()
    })
  }
}
