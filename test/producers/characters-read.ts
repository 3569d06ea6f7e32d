/** Methods that walk the whole text they are called on. */
const WALKING = ['replaceAll', 'toLowerCase', 'trim', 'trimStart']

/** Methods that read no more than what they look for. */
const COMPARING = ['endsWith', 'startsWith']

/** Methods that look for something, as far as it is found. */
const SEEKING = ['includes', 'indexOf']

/** Methods that look at one character. */
const LOOKING = ['charAt', 'charCodeAt']

type Method = (this: unknown, ...given: unknown[]) => unknown

const lengthOf = (text: unknown): number => (typeof text === 'string' ? text.length : 0)
const { indexOf } = String.prototype

/** From where a search begins to where it ends. */
function sought(text: unknown, what: unknown, from: unknown): number {
  const begin = typeof from === 'number' ? from : 0
  const found = indexOf.call(String(text), String(what), begin)
  return (found < 0 ? lengthOf(text) : found + lengthOf(what)) - Math.min(begin, lengthOf(text))
}

/**
 * How many characters of texts are read while `run` runs: a measure of work that is the same on every machine. A pattern
 * counts from where it begins to the end of what it finds. Reading by index is not seen.
 */
export function charactersRead(run: () => unknown): number {
  let read = 0
  const undo: (() => void)[] = []
  const watch = (on: object, name: string, cost: (self: unknown, given: readonly unknown[]) => number): void => {
    const methods = on as Record<string, Method>
    const original = methods[name] as Method
    methods[name] = function (...given) {
      read += cost(this, given)
      return original.apply(this, given)
    }
    undo.push(() => {
      methods[name] = original
    })
  }
  for (const name of WALKING) watch(String.prototype, name, lengthOf)
  for (const name of COMPARING) watch(String.prototype, name, (_text, given) => lengthOf(given[0]))
  for (const name of SEEKING) watch(String.prototype, name, (text, given) => sought(text, given[0], given[1]))
  for (const name of LOOKING) watch(String.prototype, name, () => 1)
  watch(JSON, 'parse', (_json, given) => lengthOf(given[0]))
  // `test`, `replace` and their kin go through `exec` where it is not the engine's own.
  const { exec } = RegExp.prototype
  RegExp.prototype.exec = function (text) {
    const begin = this.global || this.sticky ? this.lastIndex : 0
    const found = exec.call(this, text)
    const end = found === null ? (this.sticky ? begin + 1 : text.length) : found.index + found[0].length
    read += Math.max(0, end - begin)
    return found
  }
  try {
    run()
  } finally {
    for (const each of undo) each()
    RegExp.prototype.exec = exec
  }
  return read
}
