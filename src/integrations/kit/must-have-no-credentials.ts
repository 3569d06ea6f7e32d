/**
 * Refuses credentials where nothing is made of the one in use: each of them would send the same key again, and count as
 * another.
 *
 * @throws TypeError naming the path and the fix.
 */
export function mustHaveNoCredentials(candidate: unknown, path: string, fix: string): void {
  const { credentials } = Object(candidate) as { readonly credentials?: unknown }
  // What is no list is refused by heed itself.
  if (!Array.isArray(credentials) || credentials.length === 0) return
  throw new TypeError(`${path}.credentials: ${fix}`)
}

/** For hosts whose model may be a function. */
export const GIVE_A_FUNCTION =
  'a model that is made already sends its own key, whichever is listed; give model as a function of the credential'
