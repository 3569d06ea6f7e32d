/** A candidate that says the model to ask for, or leaves it to the request. */
export interface MayFixModel {
  readonly id: string
  readonly model?: string | undefined
}

/**
 * The chain as a request for a model sees it. Providers limit by the model, so a candidate that leaves it to the request
 * has its marks by that too: `openai` becomes `openai/gpt-5`. Where another candidate fixes that very model and is
 * otherwise the same, the two are one, at the first one's place; where it is another of the same name, the one without
 * a model keeps its own.
 *
 * @param isSame - Whether two candidates ask the same host with the same key.
 */
export function chainForModel<C extends MayFixModel>(
  chain: readonly C[],
  model: string,
  isSame: (fixed: C, open: C) => boolean,
): readonly C[] {
  const asked = chain.map((candidate) => {
    // What is no name goes to heed as it is, to be refused by its path.
    if (candidate.model !== undefined || typeof candidate.id !== 'string' || candidate.id === '') return candidate
    const id = `${candidate.id}/${model}`
    const namesake = chain.find((other) => other !== candidate && other.id === id)
    if (namesake === undefined) return renamed(candidate, id)
    return namesake.model === model && isSame(namesake, candidate) ? namesake : candidate
  })
  return [...new Set(asked)]
}

/** A copy with another id. Fields that are kept from being printed stay so, which a spread would lose. */
function renamed<C extends MayFixModel>(candidate: C, id: string): C {
  const fields = Object.getOwnPropertyDescriptors(candidate)
  return Object.create(Object.getPrototypeOf(candidate), { ...fields, id: { ...fields.id, value: id } })
}
