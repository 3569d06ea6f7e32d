import { expect, test } from 'vitest'
import { builtFiles, specifiers } from '../../scripts/exports.mjs'

/** What a user can import. A name that is added or lost changes the package's contract, so it is changed here by hand. */
const publicNames: Readonly<Record<string, readonly string[]>> = {
  heed: [
    'ERROR_CLASS_WIRE_SET',
    'HEALTH_EVENTS',
    'HeedError',
    'NO_MARKS',
    'advance',
    'charged',
    'classificationSchema',
    'createHealth',
    'decide',
    'deposited',
    'heed',
    'isHeedError',
    'observe',
    'policyOf',
    'readClassification',
    'startCall',
    'unwrap',
  ],
  'heed/conformance': ['adapterConformance', 'wireConformance'],
  'heed/fetch': ['HttpError', 'classInterceptor', 'fetchWithClass', 'isHttpError'],
  'heed/producers': ['llm', 'producers'],
  'heed/integrations/ai-sdk': ['heedEmbeddingModel', 'heedMiddleware', 'heedModel'],
  'heed/integrations/anthropic': ['heedAnthropic', 'heedMiddleware'],
  'heed/integrations/langchain': ['heedModels', 'heedRunnable', 'heedTools'],
  'heed/integrations/mcp': ['heedMcp', 'trustAnnotations'],
  'heed/integrations/openai': ['heedOpenAI'],
  'heed/integrations/openai-agents': ['heedModel', 'heedModelProvider', 'heedRetryPolicy'],
  'heed/integrations/otel': ['observe'],
  'heed/stores/mirrored': ['LINGER_MS', 'NO_SHARE', 'isFirst', 'isOver', 'joined', 'mirrored'],
  'heed/stores/redis': ['redisStore'],
  'heed/testing': [
    'authConformance',
    'awsTokenBucket',
    'backoffConformance',
    'breakerConformance',
    'fakeClock',
    'goodput',
    'grpcThrottle',
    'heedClients',
    'load',
    'memoryStore',
    'naiveRetry',
    'noRetry',
    'overflowConformance',
    'producedError',
    'recoverySecs',
    'retrying',
    'scriptedProducer',
    'simulate',
    'storeConformance',
    'successBudget',
    'unknownConformance',
  ],
  'heed/strategies/auth/advance-then-pause': ['advanceThenPause'],
  'heed/strategies/auth/pause': ['pause'],
  'heed/strategies/auth/surface': ['surface'],
  'heed/strategies/backoff/constant': ['constant'],
  'heed/strategies/backoff/decorrelated-jitter': ['decorrelatedJitter'],
  'heed/strategies/backoff/exponential': ['exponential'],
  'heed/strategies/backoff/from-cockatiel': ['fromCockatiel'],
  'heed/strategies/breaker/consecutive': ['consecutive'],
  'heed/strategies/breaker/sampling': ['sampling'],
  'heed/strategies/overflow/larger-window': ['largerWindow'],
  'heed/strategies/overflow/reduce-first': ['reduceFirst'],
  'heed/strategies/overflow/surface': ['surface'],
  'heed/strategies/unknown/pass-through': ['passThrough'],
  'heed/strategies/unknown/treat-as': ['treatAs'],
}

test.each(Object.entries(publicNames))('%s exports the names listed here', async (specifier, names) => {
  expect(Object.keys(await import(/* @vite-ignore */ specifier)).toSorted()).toEqual(names)
})

test('every subpath of the package is listed here', () => {
  const listed = specifiers(builtFiles()).filter((specifier) => !specifier.startsWith('heed/producers/'))
  expect(Object.keys(publicNames).toSorted()).toEqual(listed.toSorted())
})

test('every adapter family has a subpath of its name, which exports that very adapter', async () => {
  const { producers } = await import('heed/producers')
  for (const [family, adapter] of Object.entries(producers)) {
    expect(Object.values(await import(/* @vite-ignore */ `heed/producers/${family}`))).toContain(adapter)
  }
})
