import { dialects } from '../../../demo/fleet/dialects.mjs'
import { refusalOf } from './refusals.mjs'
import { TEXT } from './stage.mjs'

const headers = { 'content-type': 'application/json' }

/**
 * A chain of two whose answers come from memory: what a call costs besides the network. `asked()` tells how often the
 * primary was.
 * @param {'openai' | 'anthropic'} dialectName @param {boolean} primaryServes
 */
export const inMemory = (dialectName, primaryServes) => {
  const served = JSON.stringify(dialects[dialectName].unary('model', TEXT.match(/\S+\s*/g)))
  const refusal = refusalOf(dialectName, 'outOfCredit')
  const refused = JSON.stringify(refusal.body)
  let asked = 0
  const primary = async () => {
    asked++
    return primaryServes
      ? new Response(served, { headers })
      : new Response(refused, { status: refusal.status, headers })
  }
  const fallback = async () => new Response(served, { headers })
  const candidates = [primary, fallback].map((fetch, at) => {
    const [provider, model] = at === 0 ? ['primary', 'model-a'] : ['fallback', 'model-b']
    return { id: `${provider}/${model}`, provider, model, baseUrl: 'http://in-memory.invalid', fetch }
  })
  return { candidates, asked: () => asked }
}
