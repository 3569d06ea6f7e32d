// What a middleware does, counted and not timed. Prints JSON.
import { setImmediate as turn } from 'node:timers/promises'
import { generateText } from 'ai'
import { createFallback } from 'ai-fallback'
import { createRetryableModel, error } from 'ai-retry/language-model'
import { importHeed } from '../harness/built-heed.mjs'
import { apiCallError, languageModel, prompt } from '../peers/language-model.mjs'
import { failure } from '../rows/answers.mjs'

const { heed } = await importHeed()
const { constant } = await importHeed('heed/strategies/backoff/constant')
const candidates = ['a', 'b'].map((provider) => ({ id: `${provider}/model`, provider }))
const answered = {
  content: [{ type: 'text', text: 'hello' }],
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
  warnings: [],
}

/** How many of 50 calls at once are lost while the first candidate is down and the second is well. */
const lost = async (call) => {
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, call))
  return outcomes.filter((outcome) => outcome.status === 'rejected').length
}

const down = async () => {
  await turn()
  throw apiCallError('transient', 503)
}
const well = async () => {
  await turn()
  return answered
}

const guard = heed({ candidates, backoff: constant(0) })
const retryable = createRetryableModel({
  model: languageModel('a', { generate: down }),
  retries: [languageModel('b', { generate: well })],
})
const fallback = createFallback({
  models: [languageModel('a', { generate: down }), languageModel('b', { generate: well })],
})

const lostOf50 = {
  heed: await lost(() => guard.execute(({ candidate }) => (candidate === candidates[0] ? down() : well()))),
  'ai-retry': await lost(() => retryable.doGenerate(prompt)),
  'ai-fallback': await lost(() => fallback.doGenerate(prompt)),
}

/** The longest timer that a call asks for; every timer fires at once. */
const longestTimerMs = async (call) => {
  const original = globalThis.setTimeout
  let longest = 0
  globalThis.setTimeout = (run, delayMs = 0, ...args) => {
    longest = Math.max(longest, delayMs)
    return original(run, 0, ...args)
  }
  try {
    await call()
  } finally {
    globalThis.setTimeout = original
  }
  return longest
}

const busy = () => Object.assign(apiCallError('transient', 429), { responseHeaders: { 'retry-after': '70' } })
const refusingFirst = () => {
  let attempts = 0
  return async () => {
    if (attempts++ === 0) throw busy()
    return answered
  }
}

/** heed's wait is read from its own report: its clock would not believe a timer that fires at once. */
const heedWaitMs = async () => {
  const waiting = heed({ candidates: candidates.slice(0, 1), maxWaitMs: 120_000, random: () => 0 })
  const controller = new AbortController()
  let delayMs
  waiting.health.on('retry', (event) => {
    delayMs = event.delayMs
    controller.abort()
  })
  const hinted = Object.assign(failure('transient', 429), { retry_after_secs: 70 })
  await waiting.execute(() => Promise.reject(hinted), { abortSignal: controller.signal }).catch(() => {})
  return delayMs
}

const waitForHint70Ms = {
  heed: await heedWaitMs(),
  'ai-retry': await longestTimerMs(() => {
    const retries = [error.isRetryable(true).retry({ delay: 1_000 })]
    return createRetryableModel({ model: languageModel('a', { generate: refusingFirst() }), retries }).doGenerate(
      prompt,
    )
  }),
  'ai (generateText)': await longestTimerMs(() =>
    generateText({ model: languageModel('a', { generate: refusingFirst() }), prompt: 'hello', maxRetries: 2 }),
  ),
}

console.log(JSON.stringify({ lostOf50, waitForHint70Ms }))
