import { chatCodes } from './dialects/chat-codes.ts'
import { chatDialect } from './dialects/chat-completions.ts'
import { type AdapterProducer, adapter, codeTable, derive } from './producer.ts'

/**
 * xAI. `code` is often a sentence ("The caller does not have permission …") beside `error` as a plain text, so wording
 * counts: a wrong key is a 400, spent credits a 403 or a 429. Statuses: its "Debugging errors" page.
 */
export const xai: AdapterProducer = adapter(
  derive(
    { id: 'xai', ...chatDialect },
    {
      id: 'xai',
      codes: codeTable(
        {
          transient: 'unavailable internal deadline-exceeded',
          permanent: 'permission-denied not-found failed-precondition unimplemented personal-team-blocked',
          auth_required: 'unauthenticated',
          vague: { permanent: 'invalid-argument', transient: 'resource-exhausted some_resource_has_been_exhausted' },
        },
        chatCodes,
      ),
      texts: [
        {
          id: 'out_of_credits',
          class: 'permanent',
          any: [
            'used all available credits',
            'monthly spending limit',
            'run out of credits',
            "doesn't have any credits",
            'does not have any credits',
            'purchase more credits',
          ],
        },
        { id: 'credential', class: 'auth_required', any: ['incorrect api key', 'invalid api key'], status: [400, 401] },
        { id: 'content_policy', class: 'permanent', any: ['content violates usage guidelines', 'safety_check_type'] },
      ],
      signature: { hosts: ['api.x.ai', '.grok.com'], headers: ['x-grok-'] },
    },
  ),
)
