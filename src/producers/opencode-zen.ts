import { chatCodes } from './dialects/chat-codes.ts'
import { chatDialect } from './dialects/chat-completions.ts'
import { chatStream } from './dialects/chat-stream.ts'
import { messagesStream } from './dialects/messages.ts'
import { responsesStream } from './dialects/responses.ts'
import { anyShape } from './kit/stream-shape.ts'
import { type AdapterProducer, adapter, codeTable, derive } from './producer.ts'

/**
 * OpenCode Zen, a gateway over several dialects. Its own failures are `{ type: 'error', error: { type, message } }` with
 * the names of its error classes; credits that are spent come as a 401, so the name decides.
 */
export const opencodeZen: AdapterProducer = adapter(
  derive(
    { id: 'opencode-zen', ...chatDialect },
    {
      id: 'opencode-zen',
      codes: codeTable(
        {
          transient: `freeusagelimiterror subscriptionusagelimiterror gousagelimiterror blackusagelimiterror
            ratelimiterror usagelimiterror providerunavailableerror`,
          permanent: 'creditserror monthlylimiterror userlimiterror modelerror regionerror modeldisablederror',
          auth_required: 'autherror',
        },
        chatCodes,
      ),
      codeLeads: ['error'],
      codePattern:
        /\b(freeusagelimiterror|subscriptionusagelimiterror|gousagelimiterror|ratelimiterror|creditserror|monthlylimiterror|userlimiterror|modelerror|regionerror|autherror)\b/,
      texts: [
        {
          id: 'billing',
          class: 'permanent',
          any: ['no payment method', 'insufficient balance'],
          status: [401, 402, 403, 429],
        },
      ],
      stream: anyShape([responsesStream, chatStream, messagesStream]),
      signature: {
        hosts: ['opencode.ai'],
        codes: `FreeUsageLimitError SubscriptionUsageLimitError GoUsageLimitError CreditsError MonthlyLimitError
          UserLimitError RegionError`,
      },
    },
  ),
)
