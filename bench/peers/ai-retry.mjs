import { createRetryableModel, error } from 'ai-retry/language-model'
import { apiCallError, languageModel, prompt } from './language-model.mjs'

export const failure = apiCallError

const other = (generate) => languageModel('b', { generate })

export const success = (fn) => {
  const model = createRetryableModel({ model: languageModel('a', { generate: fn }), retries: [other(fn)] })
  return () => model.doGenerate(prompt)
}

export const successWithSignal = (fn, abortSignal) => {
  const model = createRetryableModel({ model: languageModel('a', { generate: fn }), retries: [other(fn)] })
  const options = { ...prompt, abortSignal }
  return () => model.doGenerate(options)
}

export const successWithListener = (fn, onSuccess) => {
  const model = createRetryableModel({ model: languageModel('a', { generate: fn }), retries: [other(fn)], onSuccess })
  return () => model.doGenerate(prompt)
}

export const failOnce = (fn) => {
  const retries = [error.isRetryable(true).retry({ delay: 0 })]
  const model = createRetryableModel({ model: languageModel('a', { generate: fn }), retries })
  return () => model.doGenerate(prompt)
}

export const fallback = (bad, good) => {
  const model = createRetryableModel({ model: languageModel('a', { generate: bad }), retries: [other(good)] })
  return () => model.doGenerate(prompt)
}

export const webStream = (open) => {
  const model = createRetryableModel({
    model: languageModel('a', { stream: open }),
    retries: [languageModel('b', { stream: open })],
  })
  return async () => (await model.doStream(prompt)).stream
}
