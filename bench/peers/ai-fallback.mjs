import { createFallback } from 'ai-fallback'
import { apiCallError, languageModel, prompt } from './language-model.mjs'

export const failure = apiCallError

export const success = (fn) => {
  const model = createFallback({
    models: [languageModel('a', { generate: fn }), languageModel('b', { generate: fn })],
  })
  return () => model.doGenerate(prompt)
}

/** It stays with the second model after a switch: an interval of 0 makes every call start at the first again. */
export const fallback = (bad, good) => {
  const model = createFallback({
    models: [languageModel('a', { generate: bad }), languageModel('b', { generate: good })],
    modelResetInterval: 0,
  })
  return () => model.doGenerate(prompt)
}

export const webStream = (open) => {
  const model = createFallback({
    models: [languageModel('a', { stream: open }), languageModel('b', { stream: open })],
  })
  return async () => (await model.doStream(prompt)).stream
}
