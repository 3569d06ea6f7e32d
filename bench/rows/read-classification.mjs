import { importHeed } from '../harness/built-heed.mjs'
import { stepping } from '../harness/fresh-loop.mjs'
import { newError } from './new-error.mjs'

/** A body as a producer that follows the contract answers it; sixteen, so that no reader can be folded away. */
const bodies = Array.from({ length: 16 }, (_, index) => ({
  error: {
    class: ['transient', 'permanent', 'auth_required', 'context_overflow'][index & 3],
    code: 'rate_limited',
    message: `The service is overloaded (request ${index}); try again later.`,
    retry_after_secs: index + 1,
    detail: { provider: 'anthropic', status: 429, request_id: `req_${index}` },
  },
}))
const texts = bodies.map((body) => JSON.stringify(body))
const errors = bodies.map((body) => Object.assign(new Error(body.error.message), body.error))
const wrapped = errors.map(
  (error) => new Error('call failed', { cause: new Error('request failed', { cause: error }) }),
)

export const row = {
  id: 'read-classification',
  title: '`readClassification` alone, against `JSON.parse` of the same body',
  unit: 'ns/call',
  baselines: ['JSON.parse', 'new Error'],
  against: 'JSON.parse',
  target: 0.3,
  groups: [['heed, a body'], ['heed, an Error'], ['heed, a cause two below']],
  prepare: async (name) => {
    if (name === 'JSON.parse') return stepping((text) => JSON.parse(text).error, texts)
    if (name === 'new Error') return stepping(newError, bodies)
    const { readClassification } = await importHeed()
    const values = { 'heed, a body': bodies, 'heed, an Error': errors, 'heed, a cause two below': wrapped }[name]
    for (const [index, value] of values.entries()) {
      if (readClassification(value).class !== bodies[index].error.class) throw new Error('the class was not read')
    }
    return stepping(readClassification, values)
  },
}
