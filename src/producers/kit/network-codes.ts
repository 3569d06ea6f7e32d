/** Codes and names of what fails on the way, in lower case: Node, undici, OpenSSL, browsers, Bun, axios and SDKs. */

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter(Boolean))

/** Never sent: no connection was made: refused, no route, no name, connect timeout, no agreement on TLS, or refused by HTTP/2. */
export const NEVER_SENT: ReadonlySet<string> = words(`
  econnrefused enotfound eai_again eai_fail eai_nodata eai_noname eai_nonam eai_service eai_memory edns
  ehostunreach enetunreach ehostdown enetdown eaddrnotavail econnectiontimeout connecttimeouterror
  enodata eservfail eformerr enotimp erefused etimeout ecancelled
  und_err_connect_timeout und_err_closed connecttimeout apiconnectrefused connectionrefused
  eproto err_tls_cert_altname_invalid err_tls_handshake_timeout err_ssl_wrong_version_number
  err_ssl_tlsv1_alert_protocol_version err_ssl_sslv3_alert_handshake_failure err_ssl_no_protocols_available
  unable_to_verify_leaf_signature unable_to_get_issuer_cert unable_to_get_issuer_cert_locally
  depth_zero_self_signed_cert self_signed_cert_in_chain cert_has_expired cert_not_yet_valid cert_revoked
  cert_untrusted cert_rejected cert_signature_failure cert_chain_too_long invalid_ca hostname_mismatch
  failedtoopensocket unabletoconnect nghttp2_refused_stream refused_stream
  dns_error tcp_error tls_error
`)

/** The connection was lost, or timed out, once the request may have gone out. */
export const MAYBE_SENT: ReadonlySet<string> = words(`
  econnreset epipe econnaborted enetreset enotconn esockettimedout etimedout
  und_err_socket und_err_headers_timeout und_err_body_timeout und_err_response_statuscode und_err_destroyed
  und_err_headers_overflow und_err_res_content_length_mismatch und_err_req_content_length_mismatch
  und_err_res_exceeded_max_size und_err_info
  headerstimeouterror bodytimeouterror socketerror clientdestroyederror httpparsererror responseexceededmaxsizeerror
  err_stream_premature_close err_stream_destroyed err_socket_closed err_http2_stream_error err_http2_session_error
  err_http2_goaway_session err_http2_stream_cancel err_network err_socket_connection_timeout
  connectionclosed connectionreset timeouterror
  apiconnectionerror apiconnectiontimeouterror apitimeouterror responsetimeouterror networkerror
  hpe_invalid_constant hpe_invalid_eof_state hpe_closed_connection hpe_invalid_chunk_size hpe_user
`)

/** What wraps any of the above without saying which: wording that says so is heard first. */
export const WRAPPERS: ReadonlySet<string> = words(`
  apiconnectionerror apiconnectiontimeouterror apitimeouterror networkerror err_network socketerror und_err_socket
  responsetimeouterror timeouterror
`)

/** The request was given up, by whom it does not say. */
export const ABORTED: ReadonlySet<string> = words(
  'aborterror abort_err apiuseraborterror err_canceled cancelederror und_err_aborted',
)
