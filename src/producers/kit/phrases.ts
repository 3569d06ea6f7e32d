/** The text is looked at every fourth character only: each phrase is known by four of its places, one for each residue. */
const STRIDE = 4
/** Shorter phrases have no four characters at every residue, and are looked for one by one. */
const SHORTEST = 2 * STRIDE - 1
const SLOTS = 16_384
/** So few are looked for one by one. */
const FEW = 6
/** Engines know of a text whether it can hold such a character, so that asking costs next to nothing. */
const WIDE = /[^\0-\xff]/

/** A phrase, and where in it the four characters begin that are looked for. */
interface Place {
  readonly phrase: string
  readonly id: number
  readonly offset: number
}

/**
 * Finds many phrases in one pass over a text. A phrase is tried only where four of its rarer characters stand, so the
 * cost is that of walking the text once, however many phrases there are.
 */
export class PhraseIndex {
  readonly #ids = new Map<string, number>()
  /** For each slot the number of its places, from 1; 0 where no phrase has it. */
  readonly #filter = new Uint16Array(SLOTS)
  readonly #places: Place[][] = [[]]
  readonly #short: Place[] = []
  /** Short ones that only a text beyond Latin-1 can hold. */
  readonly #wide: Place[] = []

  /** The number that stands for a phrase from now on. */
  add(phrase: string): number {
    const known = this.#ids.get(phrase)
    if (known !== undefined) return known
    const id = this.#ids.size
    this.#ids.set(phrase, id)
    if (phrase.length < SHORTEST) (WIDE.test(phrase) ? this.#wide : this.#short).push({ phrase, id, offset: 0 })
    else
      for (let residue = 0; residue < STRIDE; residue += 1)
        this.#addPlace({ phrase, id, offset: rarest(phrase, residue) })
    return id
  }

  #addPlace(place: Place): void {
    const slot = slotAt(place.phrase, place.offset)
    const known = this.#filter[slot] ?? 0
    if (known !== 0) this.#places[known]?.push(place)
    else this.#filter[slot] = this.#places.push([place]) - 1
  }

  /** The numbers of the phrases that stand in the text; nothing where none does. A number may come twice. */
  find(text: string): number[] | undefined {
    if (this.#ids.size <= FEW) return this.#findFew(text)
    let found = isAscii(text) ? this.#scanBytes(text) : this.#scan(text)
    for (const { phrase, id } of this.#short) if (text.includes(phrase)) found = pushed(found, id)
    if (this.#wide.length === 0 || !WIDE.test(text)) return found
    for (const { phrase, id } of this.#wide) if (text.includes(phrase)) found = pushed(found, id)
    return found
  }

  #findFew(text: string): number[] | undefined {
    let found: number[] | undefined
    for (const [phrase, id] of this.#ids) if (text.includes(phrase)) found = pushed(found, id)
    return found
  }

  #scan(text: string): number[] | undefined {
    let found: number[] | undefined
    const last = text.length - STRIDE
    for (let at = 0; at <= last; at += STRIDE) {
      const places = this.#filter[slotAt(text, at)] as number
      if (places !== 0) found = this.#verify(text, at, places, found)
    }
    return found
  }

  /** The same over the bytes that {@link isAscii} left, of which the engine reads one much faster than a character. */
  #scanBytes(text: string): number[] | undefined {
    let found: number[] | undefined
    const filter = this.#filter
    const last = text.length - STRIDE
    for (let at = 0; at <= last; at += STRIDE) {
      const places = filter[
        slotOf(BYTES[at] as number, BYTES[at + 1] as number, BYTES[at + 2] as number, BYTES[at + 3] as number)
      ] as number
      if (places !== 0) found = this.#verify(text, at, places, found)
    }
    return found
  }

  #verify(text: string, at: number, places: number, found: number[] | undefined): number[] | undefined {
    let all = found
    for (const { phrase, id, offset } of this.#places[places] as Place[]) {
      // Most that share a slot differ in the first of its characters already.
      if (at < offset || text.charCodeAt(at) !== phrase.charCodeAt(offset)) continue
      if (text.startsWith(phrase, at - offset)) all = pushed(all, id)
    }
    return all
  }
}

function pushed(list: number[] | undefined, id: number): number[] {
  if (list === undefined) return [id]
  list.push(id)
  return list
}

function slotAt(text: string, at: number): number {
  return slotOf(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2), text.charCodeAt(at + 3))
}

function slotOf(first: number, second: number, third: number, fourth: number): number {
  return (Math.imul(first, 7_919) + Math.imul(second, 613) + Math.imul(third, 37) + fourth) & (SLOTS - 1)
}

const ENCODER = /* @__PURE__ */ new TextEncoder()
/** Longer than any wording is read. Shared, as a search runs from its beginning to its end with nothing between. */
const BYTES = /* @__PURE__ */ new Uint8Array(24_576)

/** Whether each character is one byte; if so, {@link BYTES} holds them. */
function isAscii(text: string): boolean {
  return text.length <= BYTES.length && ENCODER.encodeInto(text, BYTES).written === text.length
}

/** The characters of English error texts from the most to the least frequent; what is not among them is rarest. */
const FREQUENCY = ' etnoairsldmcuphgyxfkvbqwzj'

/** Of the places in a phrase with this residue, the one whose four characters are the rarest. */
function rarest(phrase: string, residue: number): number {
  let best = residue
  let least = Number.POSITIVE_INFINITY
  for (let at = residue; at + STRIDE <= phrase.length; at += STRIDE) {
    let weight = 0
    for (const char of phrase.slice(at, at + STRIDE)) {
      const rank = FREQUENCY.indexOf(char)
      weight += rank < 0 ? 0 : 1 / (rank + 1)
    }
    if (weight < least) {
      least = weight
      best = at
    }
  }
  return best
}
