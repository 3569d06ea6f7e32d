import { type CodeTable, codeTable } from '../kit/codes.ts'

/** Names that SDKs give their error classes by status alone, and that some servers send as a `type`. */
const BY_STATUS = {
  transient: `ratelimiterror toomanyrequestserror internalservererror serviceunavailableerror gatewaytimeouterror
    conflicterror api_error apierror upstream_error provider_error requests tokens`,
  permanent: `badrequesterror notfounderror permissiondeniederror unprocessableentityerror forbiddenerror
    invalid_request_error invalid_request invalidrequesterror bad_request badrequest invalid_argument invalid_params
    not_found notfound not_found_error validation_error validationerror new_api_error one_api_error`,
  auth_required: 'authenticationerror unauthorizederror',
} as const

/**
 * The codes and types of the chat-completions dialect: those of the API that it comes from (its "Error codes" guide and
 * its SDKs), and those that servers which speak it have in common.
 */
export const chatCodes: CodeTable = codeTable({
  transient: `rate_limit_exceeded rate_limit_error rate_limit_reached rate_limit_reached_error rate_limited rate_limit
    too_many_requests requests_limit_reached
    server_error internal_server_error internal_error internal_failure service_unavailable service_unavailable_error
    service_unavailable_exception server_overloaded server_is_overloaded overloaded overloaded_error model_overloaded
    engine_overloaded engine_overloaded_error slow_down capacity_exceeded over_capacity
    bad_gateway gateway_timeout timeout timeout_error request_timeout upstream_timeout deadline_exceeded
    temporarily_unavailable unavailable provider_unavailable provider_overloaded
    model_not_ready model_loading no_available_channel bad_response_status_code do_request_failed`,
  permanent: `insufficient_quota insufficient_user_quota insufficient_balance insufficient_balance_error insufficient_credits
    insufficient_funds billing_hard_limit_reached billing_not_active billing_error payment_required payment_required_error
    pre_consume_token_quota_failed account_suspended account_overdue
    model_not_found model_not_available model_not_supported model_decommissioned unsupported_model invalid_model
    deployment_not_found unsupported_country_region_territory request_forbidden permission_error permission_denied
    insufficient_permissions forbidden access_denied access_terminated organization_restricted ip_not_authorized
    content_filter content_policy_violation moderation_blocked invalid_prompt sensitive_words_detected
    responsibleaipolicyviolation
    unsupported_parameter unsupported_value unknown_parameter missing_required_parameter invalid_value invalid_type
    invalid_function_parameters invalid_tool_parameters integer_above_max_value integer_below_min_value
    decimal_above_max_value decimal_below_min_value array_above_max_length array_below_min_length empty_string
    invalid_base64 invalid_image invalid_image_url invalid_image_format image_too_large json_validate_failed
    tool_use_failed method_not_allowed unprocessable_entity max_tokens_exceeded`,
  auth_required: `invalid_api_key incorrect_api_key_error incorrect_api_key missing_api_key no_api_key api_key_missing
    authentication_error invalid_authentication_error invalid_authentication authentication authentication_required
    authentication_failed unauthorized unauthenticated invalid_credentials token_expired expired_token token_invalidated
    token_revoked invalid_token access_token_expired invalid_grant invalid_client invalid_access_token
    refresh_token_expired refresh_token_reused refresh_token_invalidated login_required mismatched_project
    invalid_organization no_such_organization account_deactivated`,
  context_overflow: `context_length_exceeded context_length_exceeded_error context_window_exceeded context_window_exceeded_error
    contextwindowexceedederror context_limit_exceeded
    model_max_prompt_tokens_exceeded exceed_context_size_error prompt_too_long input_too_long input_too_large
    tokens_limit_reached max_prompt_tokens_exceeded request_too_large payload_too_large string_above_max_length
    string_too_long request_entity_too_large`,
  vague: BY_STATUS,
})
