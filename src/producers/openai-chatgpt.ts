import { chatDialect } from './dialects/chat-completions.ts'
import { codexHints, responsesCodes, responsesStream } from './dialects/responses.ts'
import type { HeaderMap } from './kit/headers.ts'
import { type AdapterProducer, adapter, codeTable, deepField, type Facts } from './producer.ts'
import { readReset } from './retry-after.ts'

/**
 * The ChatGPT backend that Codex calls with an account. Its codes are those that Codex branches on. Hints are those that
 * Codex reads; of a `usage_limit_reached` body that is the window's own reset. The `X-Codex-*` headers are never read:
 * they tell of every window, the one that was hit and the others.
 */
export const openaiChatgpt: AdapterProducer = adapter({
  id: 'openai-chatgpt',
  codes: codeTable(
    {
      transient: 'usage_limit_reached usage_limit_exceeded model_cap_exceeded model_at_capacity',
      permanent: `usage_not_included deactivated_workspace account_not_eligible plan_not_supported
        workspace_owner_credits_depleted workspace_member_credits_depleted`,
    },
    responsesCodes,
  ),
  texts: [
    { id: 'usage_not_included', class: 'permanent', any: ['to use codex with your chatgpt plan', 'upgrade to plus'] },
    ...(chatDialect.texts ?? []),
  ],
  hints: { ...codexHints, body: windowReset },
  stream: responsesStream,
  signature: {
    hosts: ['chatgpt.com'],
    headers: ['x-codex-'],
    codes: 'usage_limit_reached usage_not_included',
  },
})

/** `resets_in_seconds`, which needs no clock, else `resets_at` in epoch seconds; of a usage limit only. */
function windowReset(facts: Facts, nowMs: number, headers: HeaderMap): number | undefined {
  if (!facts.codes.includes('usage_limit_reached')) return undefined
  const secs = deepField(facts, 'resets_in_seconds')
  if (typeof secs === 'number' && secs > 0 && secs < Number.POSITIVE_INFINITY) return secs
  const at = deepField(facts, 'resets_at')
  return typeof at === 'number' ? readReset(String(at), 'epoch-seconds', nowMs, headers.get('date')) : undefined
}
