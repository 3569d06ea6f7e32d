import { type Pattern, patternOf, putWords, WORDS } from './text-words.ts'

/** Where in a word a phrase may begin. */
const SHIFTS = [0, 1, 2, 3] as const
const SLOT_BITS = 14
/** So few are looked for one by one. */
const FEW = 6
/** What of a place stands before its words: the phrase's number, the key's, and how many words there are. */
const HEAD = 3

/** A phrase that is looked for by itself. */
interface Single {
  readonly phrase: string
  readonly id: number
  /** Its rarest character: engines find one character much faster than several. */
  readonly rare: string
  readonly offset: number
}

/**
 * Finds many phrases in one pass over a text, a word of four bytes at a time. A phrase is tried only where one of its
 * rarer words stands, its key, so the cost is that of walking the text once, however many phrases there are.
 */
export class PhraseIndex {
  /** For each slot of a key the number of its run; 0 where no phrase has it. */
  readonly #filter = new Uint16Array(2 ** SLOT_BITS)
  /** The places whose keys share a slot, one behind the other: a head, and each word with its mask. */
  readonly #runs: Int32Array[] = [new Int32Array(0)]
  readonly #singles: Single[] = []

  /** A phrase is known by its number in this list, which has each once. */
  constructor(phrases: readonly string[]) {
    const shifted = phrases.map((phrase) => SHIFTS.map((shift) => patternOf(phrase, shift)))
    const counts = countKeys(shifted.flat())
    for (const [id, phrase] of phrases.entries()) {
      const patterns = shifted[id] as Pattern[]
      const keys = patterns.map((pattern) => rarest(pattern, counts))
      // What is short has no whole word at some shift.
      if (phrases.length <= FEW || keys.includes(-1)) this.#singles.push({ phrase, id, ...rarestCharacter(phrase) })
      else for (const [at, pattern] of patterns.entries()) this.#add(id, keys[at] as number, pattern)
    }
  }

  #add(id: number, key: number, { words, masks }: Pattern): void {
    const slot = slotOf(words[key] as number)
    const known = this.#filter[slot] as number
    const place = [id, key, words.length, ...[...words].flatMap((word, at) => [word, masks[at] as number])]
    if (known === 0) this.#filter[slot] = this.#runs.push(Int32Array.from(place)) - 1
    else this.#runs[known] = Int32Array.of(...(this.#runs[known] as Int32Array), ...place)
  }

  /** The numbers of the phrases that stand in the text; nothing where none does. A number may come twice. */
  find(text: string): number[] | undefined {
    let found = this.#runs.length === 1 ? undefined : this.#scan(putWords(text))
    for (const single of this.#singles) if (isIn(text, single)) found = pushed(found, single.id)
    return found
  }

  #scan(bytes: number): number[] | undefined {
    let found: number[] | undefined
    const filter = this.#filter
    const words = WORDS
    for (let at = 0; at * 4 < bytes; at += 1) {
      const run = filter[slotOf(words[at] as number)] as number
      if (run !== 0) found = verify(this.#runs[run] as Int32Array, at, found)
    }
    return found
  }
}

/** The phrases of a run whose key stands at `at` with all that belongs around it. */
function verify(run: Int32Array, at: number, found: number[] | undefined): number[] | undefined {
  let all = found
  for (let place = 0; place < run.length; place += HEAD + 2 * (run[place + 2] as number)) {
    const from = at - (run[place + 1] as number)
    if (from >= 0 && stands(run, place, from)) all = pushed(all, run[place] as number)
  }
  return all
}

function stands(run: Int32Array, place: number, from: number): boolean {
  const end = place + HEAD + 2 * (run[place + 2] as number)
  for (let at = from, each = place + HEAD; each < end; at += 1, each += 2)
    if (((WORDS[at] as number) & (run[each + 1] as number)) !== run[each]) return false
  return true
}

function isIn(text: string, { phrase, rare, offset }: Single): boolean {
  for (let at = text.indexOf(rare); at >= 0; at = text.indexOf(rare, at + 1))
    if (text.startsWith(phrase, at - offset)) return true
  return false
}

function pushed(list: number[] | undefined, id: number): number[] {
  if (list === undefined) return [id]
  list.push(id)
  return list
}

/** Fibonacci hashing. */
function slotOf(word: number): number {
  return Math.imul(word, 0x9e3779b1) >>> (32 - SLOT_BITS)
}

/** How many phrases have a word as a whole: error texts say what phrases say, so what many share is frequent. */
function countKeys(patterns: readonly Pattern[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const { words, masks } of patterns)
    for (const [at, word] of words.entries()) if (masks[at] === -1) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** The characters of English error texts from the most to the least frequent; what is not among them is rarest. */
const FREQUENCY = ' etnoairsldmcuphgyxfkvbqwzj'

/** Of the whole words of a pattern the rarest; -1 where it has none. */
function rarest({ words, masks }: Pattern, counts: ReadonlyMap<number, number>): number {
  let best = -1
  let least = Number.POSITIVE_INFINITY
  for (const [at, word] of words.entries()) {
    if (masks[at] !== -1) continue
    const weight = (counts.get(word) ?? 0) + commonness(word)
    if (weight < least) {
      least = weight
      best = at
    }
  }
  return best
}

function commonness(word: number): number {
  let sum = 0
  for (let bits = 0; bits < 32; bits += 8) sum += frequency(String.fromCharCode((word >> bits) & 0xff))
  return sum
}

function frequency(char: string): number {
  const rank = FREQUENCY.indexOf(char)
  return rank < 0 ? 0 : 1 / (rank + 1)
}

function rarestCharacter(phrase: string): Pick<Single, 'rare' | 'offset'> {
  const rare = [...phrase].reduce((least, each) => (frequency(each) < frequency(least) ? each : least))
  return { rare, offset: phrase.indexOf(rare) }
}
