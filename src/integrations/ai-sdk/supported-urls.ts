import type { LanguageModelV4 } from '@ai-sdk/provider'

type Urls = Awaited<LanguageModelV4['supportedUrls']>

/**
 * The addresses that every model takes as they are. The SDK hands a model the address of a file that it supports and
 * downloads any other; the prompt is made once, before it is known who serves, so only what all of them take is safe.
 * Patterns are compared as they are written: what two models put differently is downloaded, which all can read.
 */
export function sharedUrls(models: readonly LanguageModelV4[]): LanguageModelV4['supportedUrls'] {
  const all = models.map((model) => model.supportedUrls)
  return all.some(isPromiseLike) ? Promise.all(all).then(shared) : shared(all as readonly Urls[])
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown }).then === 'function'
}

function shared([first, ...others]: readonly Urls[]): Urls {
  const urls: Urls = {}
  for (const [mediaType, patterns] of Object.entries(first ?? {})) {
    const kept = patterns.filter((pattern) =>
      others.every((other) => other[mediaType]?.some((each) => String(each) === String(pattern))),
    )
    if (kept.length > 0) urls[mediaType] = kept
  }
  return urls
}
