import type { IdleWatch } from './idle-watch.ts'
import type { Source } from './source.ts'

type Result = IteratorResult<unknown, undefined>

interface Read {
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/** What becomes of an item, or of the end, that a source answers. May throw. */
type Took = (result: IteratorResult<unknown>) => Result

/** Reads of a source that can be settled from outside at once, however long the source takes. */
export class GuardedReads {
  readonly #source: Source
  readonly #took: Took
  readonly #lost: (error: unknown) => Result
  readonly #idle: IdleWatch | undefined
  #resolve: ((result: Result) => void) | undefined
  #reject: ((error: unknown) => void) | undefined
  /** Reads that were begun before the one above had ended. */
  readonly #overlapping = new Set<Read>()

  constructor(source: Source, took: Took, lost: (error: unknown) => Result, idle: IdleWatch | undefined) {
    this.#source = source
    this.#took = took
    this.#lost = lost
    this.#idle = idle
  }

  /** Whether an item is awaited. */
  get waiting(): boolean {
    return this.#reject !== undefined || this.#overlapping.size > 0
  }

  next(): Promise<Result> {
    if (this.waiting) return this.#overlap()
    this.#idle?.begin()
    const read = new Promise<Result>(this.#keep)
    this.#source.next().then(this.#arrived, this.#failed)
    return read
  }

  /** Ends all reads under way. */
  end(error: unknown): void {
    const reject = this.#reject
    this.#resolve = undefined
    this.#reject = undefined
    reject?.(error)
    for (const { reject: rejectToo } of this.#overlapping) rejectToo(error)
    this.#overlapping.clear()
  }

  /** Answers all reads under way: nobody waits for the source any more. */
  finish(result: Result): void {
    const resolve = this.#resolve
    this.#resolve = undefined
    this.#reject = undefined
    resolve?.(result)
    for (const { resolve: resolveToo } of this.#overlapping) resolveToo(result)
    this.#overlapping.clear()
  }

  /** Mostly there is one read at a time: then none makes a function. */
  readonly #keep = (resolve: (result: Result) => void, reject: (error: unknown) => void): void => {
    this.#resolve = resolve
    this.#reject = reject
  }

  readonly #arrived = (result: IteratorResult<unknown>): void => {
    const resolve = this.#resolve
    const reject = this.#reject
    this.#resolve = undefined
    this.#reject = undefined
    this.#idle?.heard()
    try {
      const taken = this.#took(result)
      resolve?.(taken)
    } catch (error) {
      reject?.(error)
    }
  }

  readonly #failed = (error: unknown): void => {
    const reject = this.#reject
    this.#resolve = undefined
    this.#reject = undefined
    reject?.(this.#reasonOf(error))
  }

  #overlap(): Promise<Result> {
    return new Promise((resolve, reject) => {
      const read: Read = { resolve, reject }
      this.#overlapping.add(read)
      this.#source.next().then(
        (result) => {
          this.#overlapping.delete(read)
          this.#idle?.heard()
          try {
            resolve(this.#took(result))
          } catch (error) {
            reject(error)
          }
        },
        (error: unknown) => {
          this.#overlapping.delete(read)
          reject(this.#reasonOf(error))
        },
      )
    })
  }

  #reasonOf(error: unknown): unknown {
    try {
      return this.#lost(error)
    } catch (reason) {
      return reason
    }
  }
}
