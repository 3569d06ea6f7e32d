/** The text is looked at every fourth character only: each phrase is known by four of its places, one for each residue. */
const STRIDE = 4
/** Shorter phrases have no four characters at every residue, and are looked for one by one. */
const SHORTEST = 2 * STRIDE - 1
const SLOTS = 16_384
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
    let found: number[] | undefined
    const filter = this.#filter
    const last = text.length - STRIDE
    for (let at = 0; at <= last; at += STRIDE) {
      const places = filter[slotAt(text, at)] as number
      if (places !== 0) found = this.#verify(text, at, places, found)
    }
    for (const { phrase, id } of this.#short) if (text.includes(phrase)) found = pushed(found, id)
    if (this.#wide.length === 0 || !WIDE.test(text)) return found
    for (const { phrase, id } of this.#wide) if (text.includes(phrase)) found = pushed(found, id)
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
  const left = Math.imul(text.charCodeAt(at), 7_919) + Math.imul(text.charCodeAt(at + 1), 613)
  return (left + Math.imul(text.charCodeAt(at + 2), 37) + text.charCodeAt(at + 3)) & (SLOTS - 1)
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
