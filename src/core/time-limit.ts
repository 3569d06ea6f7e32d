/** A limit of time where 0, like nothing given, is none. */
export function timeLimit(givenMs: number | undefined): number {
  return givenMs === undefined || givenMs === 0 ? Number.POSITIVE_INFINITY : givenMs
}
