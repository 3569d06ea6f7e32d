import { chatCodes } from './dialects/chat-codes.ts'
import { chatDialect } from './dialects/chat-completions.ts'
import { type AdapterProducer, adapter, codeTable, derive } from './producer.ts'

/**
 * Moonshot (Kimi). Types of its "Errors" page: `exceeded_current_quota_error` is the balance, `rate_limit_reached_error`
 * a window, whose wait stands in the text ("try again after 1 seconds").
 */
export const moonshot: AdapterProducer = adapter(
  derive(
    { id: 'moonshot', ...chatDialect },
    {
      id: 'moonshot',
      codes: codeTable(
        {
          transient: 'rate_limit_reached_error engine_overloaded_error server_error unexpected_output',
          permanent: `exceeded_current_quota_error content_filter permission_denied_error resource_not_found_error
            access_terminated_error`,
          auth_required: 'invalid_authentication_error incorrect_api_key_error',
        },
        chatCodes,
      ),
      texts: [
        {
          id: 'usage_window',
          class: 'transient',
          over: 'access_terminated_error permission_denied_error',
          any: [
            'reached your usage limit for this period',
            'reached your usage limit for this billing cycle',
            '5-hour',
          ],
        },
        { id: 'account_inactive', class: 'permanent', any: ['is not active', 'check your plan and billing details'] },
      ],
      signature: { hosts: ['api.moonshot.cn', 'api.moonshot.ai', 'api.kimi.com'], headers: ['msh-'] },
    },
  ),
)
