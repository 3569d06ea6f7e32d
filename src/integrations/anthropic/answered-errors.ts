import { APIError } from '@anthropic-ai/sdk/core/error'

/** The error that the SDK itself makes of a refusal, which is what surfaces. */
export async function refusal(response: Response): Promise<Error> {
  const text = await response.text()
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return APIError.generate(response.status, undefined, text, response.headers)
  }
  return errorOf(response, body)
}

/** The same for an answer whose body has been read. */
export function errorOf({ status, headers }: Response, body: unknown): Error {
  return APIError.generate(status, body as object, undefined, headers)
}
