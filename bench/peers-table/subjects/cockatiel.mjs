import { ConstantBackoff, fallback, handleWhen, retry, wrap } from 'cockatiel'
import { worthAnotherTry } from '../harness/worth-another-try.mjs'
import * as host from '../hosts/openai.mjs'

export { host }
export const title = 'cockatiel, by hand'
export const packages = ['cockatiel', 'openai']
export const setting = '`wrap(fallback, retry)`: 2 retries 1 s apart of what the SDK would retry, then the fallback'
export const waitsBeforeFallback = true

const failures = handleWhen((error) => worthAnotherTry(error))
const repeats = retry(failures, { maxAttempts: 2, backoff: new ConstantBackoff(1_000) })

export const attach = (candidates) => {
  const [primary, second] = candidates.map((candidate) => host.createOf(candidate))
  return host.callerOf((body, options) => {
    const policy = wrap(
      fallback(failures, () => {
        options.signal?.throwIfAborted()
        return second(body, options)
      }),
      repeats,
    )
    return policy.execute(() => primary(body, options), options.signal)
  })
}
