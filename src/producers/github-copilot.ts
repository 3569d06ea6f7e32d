import { chatCodes } from './dialects/chat-codes.ts'
import { chatDialect } from './dialects/chat-completions.ts'
import { type AdapterProducer, adapter, codeTable, derive } from './producer.ts'

/**
 * GitHub Copilot's API and GitHub's own in front of it. Codes are those that its clients branch on. A month's quota
 * renews by itself, so it is a window; GitHub sends its rate limit as 403, told in words, with a reset in epoch seconds.
 */
export const githubCopilot: AdapterProducer = adapter(
  derive(
    { id: 'github-copilot', ...chatDialect },
    {
      id: 'github-copilot',
      codes: codeTable(
        {
          transient: `rate_limited user_global_rate_limited user_model_rate_limited user_weekly_rate_limited
            integration_rate_limited upstream_provider_rate_limit upstream_provider_rate_limited
            agent_mode_limit_exceeded quota_exceeded free_quota_exceeded overage_limit_reached model_overloaded`,
          permanent: `billing_not_configured model_not_supported unsupported_api_for_model feature_flag_blocked
            extension_blocked off_topic snippy content_filter not_signed_up no_access subscription_ended
            enterprise_managed_user_account trade_restricted_country access_denied_by_policy invalid_request_body
            user_not_authorized invalid_tool_call`,
          auth_required: 'token_expired unauthorized bad_credentials authorize_url_required',
          context_overflow: 'model_max_prompt_tokens_exceeded prompt_tokens_exceeded tokens_limit_reached',
        },
        chatCodes,
      ),
      texts: [
        {
          id: 'api_rate_limit',
          class: 'transient',
          any: ['api rate limit', 'secondary rate limit', 'abuse detection mechanism', "exceeded github's"],
        },
        {
          id: 'prompt_tokens',
          class: 'context_overflow',
          any: [['prompt token count', 'exceeds the limit'], 'model_max_prompt_tokens_exceeded'],
        },
        {
          id: 'credential',
          class: 'auth_required',
          any: ['bad credentials', 'ide token expired', 'token expired', 'authorization header is badly formatted'],
          status: [400, 401],
        },
      ],
      hints: {
        resets: [{ reset: 'x-ratelimit-reset', remaining: 'x-ratelimit-remaining', unit: 'epoch-seconds' }],
        body: (_facts, _nowMs, headers) => {
          const secs = Number(headers.get('x-ratelimit-user-retry-after') ?? Number.NaN)
          return secs >= 0 && secs < Number.POSITIVE_INFINITY ? secs : undefined
        },
      },
      signature: {
        hosts: ['.githubcopilot.com', 'api.github.com', 'models.github.ai'],
        headers: ['x-github-', 'x-copilot-'],
      },
    },
  ),
)
