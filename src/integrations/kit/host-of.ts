/** The host of a base URL: whose credentials a client uses, where nothing better is known. Nothing where it is no URL. */
export function hostOf(baseUrl: unknown): string | undefined {
  return typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl).host : undefined
}
