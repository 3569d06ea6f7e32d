import { type ChainLink, innermost } from './candidates.ts'

/**
 * Refuses fallbacks of one name: marks and events could not tell them apart.
 *
 * @throws TypeError naming the place and the fix.
 */
export function mustDiffer(fallbacks: readonly ChainLink[]): void {
  // What is no list is refused by heed itself.
  if (!Array.isArray(fallbacks)) return
  const places = new Map<string, number>()
  fallbacks.forEach(({ id }: ChainLink, place) => {
    const before = places.get(id)
    if (before !== undefined) throw new TypeError(fault(place, id, `fallbacks[${before}].id`))
    places.set(id, place)
  })
}

/**
 * The fallbacks of a call whose own model is known: without that very model, where it is one of them.
 *
 * @throws TypeError where another is named as that model is, naming the place and the fix: it would never be asked.
 */
export function besides(
  own: { readonly id: string; readonly models: readonly unknown[] },
  fallbacks: readonly ChainLink[],
): readonly ChainLink[] {
  const models = own.models.map(innermost)
  return fallbacks.filter(({ id, model }, place) => {
    if (id !== own.id) return true
    if (!models.includes(innermost(model))) throw new TypeError(fault(place, id, "the id of the agent's own model"))
    return false
  })
}

function fault(place: number, id: string, other: string): string {
  return `heedModels: fallbacks[${place}].id: "${id}" is ${other} too; give it an id of its own, or list it once`
}
