/**
 * What happens next, by time and then by the order of scheduling. Each id has at most one event: scheduling it again
 * moves it. A binary heap of ids over typed arrays: nothing is allocated but when it grows.
 */
export class EventQueue {
  #atMs = new Float64Array(64)
  #order = new Float64Array(64)
  /** An id's place in the heap, from 1; 0 where it has no event. */
  #place = new Int32Array(64)
  /** Ids; place 0 stays empty, so that a parent is half of its children. */
  #heap = new Int32Array(65)
  #scheduled = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  /** When the first event is, in milliseconds; `Infinity` where there is none. */
  get firstMs(): number {
    return this.#size === 0 ? Number.POSITIVE_INFINITY : (this.#atMs[this.#heap[1] as number] as number)
  }

  /** Sets the event of an id. */
  schedule(id: number, atMs: number): void {
    if (id >= this.#atMs.length) this.#grow(id)
    const moved = this.#place[id] as number
    this.#atMs[id] = atMs
    this.#order[id] = this.#scheduled
    this.#scheduled += 1
    if (moved === 0) this.#size += 1
    const place = moved === 0 ? this.#size : moved
    this.#rise(id, place)
    if (moved !== 0) this.#sink(id, this.#place[id] as number)
  }

  /** Takes the first event away and answers its id; -1 where there is none. */
  take(): number {
    if (this.#size === 0) return -1
    const first = this.#heap[1] as number
    const last = this.#heap[this.#size] as number
    this.#place[first] = 0
    this.#size -= 1
    if (this.#size > 0) this.#sink(last, 1)
    return first
  }

  #isBefore(one: number, other: number): boolean {
    const oneMs = this.#atMs[one] as number
    const otherMs = this.#atMs[other] as number
    return oneMs === otherMs ? (this.#order[one] as number) < (this.#order[other] as number) : oneMs < otherMs
  }

  #rise(id: number, from: number): void {
    let place = from
    while (place > 1) {
      const parent = this.#heap[place >> 1] as number
      if (this.#isBefore(parent, id)) break
      this.#put(parent, place)
      place >>= 1
    }
    this.#put(id, place)
  }

  #sink(id: number, from: number): void {
    let place = from
    for (;;) {
      let child = place * 2
      if (child > this.#size) break
      if (child < this.#size && this.#isBefore(this.#heap[child + 1] as number, this.#heap[child] as number)) child += 1
      const smaller = this.#heap[child] as number
      if (this.#isBefore(id, smaller)) break
      this.#put(smaller, place)
      place = child
    }
    this.#put(id, place)
  }

  #put(id: number, place: number): void {
    this.#heap[place] = id
    this.#place[id] = place
  }

  #grow(id: number): void {
    const length = Math.max(id + 1, this.#atMs.length * 2)
    this.#atMs = grown(this.#atMs, new Float64Array(length))
    this.#order = grown(this.#order, new Float64Array(length))
    this.#place = grown(this.#place, new Int32Array(length))
    this.#heap = grown(this.#heap, new Int32Array(length + 1))
  }
}

function grown<T extends Float64Array | Int32Array>(old: T, larger: T): T {
  larger.set(old)
  return larger
}
