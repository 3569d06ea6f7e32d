import { bareCode } from './kit/codes.ts'
import { type Facts, field } from './kit/facts.ts'

/**
 * What became of a request that failed on the way: it was never sent (safe to repeat), it may have been sent (nobody
 * knows whether it was executed), or the caller itself gave it up.
 */
export type Transport = 'never_sent' | 'maybe_sent' | 'aborted'

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter(Boolean))

/** No connection was made: refused, no route, no name, connect timeout, no agreement on TLS, or refused by HTTP/2. */
const NEVER_SENT = words(`
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
const MAYBE_SENT = words(`
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
const WRAPPERS = words(`
  apiconnectionerror apiconnectiontimeouterror apitimeouterror networkerror err_network socketerror und_err_socket
  responsetimeouterror timeouterror
`)

const ABORTED = words('aborterror abort_err apiuseraborterror err_canceled cancelederror und_err_aborted')

const NEVER_SENT_WORDS = [
  'econnrefused',
  'connection refused',
  'enotfound',
  'eai_again',
  'getaddrinfo',
  'name or service not known',
  'temporary failure in name resolution',
  'nodename nor servname',
  'name resolution',
  'dns lookup',
  'dns error',
  'failed to lookup address',
  'no such host',
  'connect etimedout',
  'connect timeout',
  'connecttimeout',
  'connection timeout error',
  'connect ehostunreach',
  'ehostunreach',
  'enetunreach',
  'no route to host',
  'network is unreachable',
  'before secure tls connection was established',
  'self-signed certificate',
  'self signed certificate',
  'unable to verify the first certificate',
  'unable to get local issuer certificate',
  'certificate has expired',
  'certificate verify failed',
  "does not match certificate's altnames",
  'tls handshake',
  'ssl handshake',
  'ssl routines',
  'error trying to connect',
  'tcp connect error',
  'unable to connect. is the computer able to access the url',
  'all connection attempts failed',
]

const MAYBE_SENT_WORDS = [
  'econnreset',
  'connection reset',
  'socket hang up',
  'other side closed',
  'premature close',
  'stream closed before',
  'stream disconnected before completion',
  'body timeout',
  'headers timeout',
  'body_timeout',
  'headers_timeout',
  'etimedout',
  'epipe',
  'broken pipe',
  'fetch failed',
  'failed to fetch',
  'load failed',
  'networkerror when attempting',
  'network error',
  'network connection lost',
  'network connection was lost',
  'connection error',
  'connection aborted',
  'connection closed',
  'connection was closed',
  'connection lost',
  'connection terminated',
  'remote end closed connection',
  'remotedisconnected',
  'remoteprotocolerror',
  'server disconnected',
  'peer closed connection',
  'incomplete chunked read',
  'incompleteread',
  'unexpected eof',
  'unexpected end of file',
  'error decoding response body',
  'error sending request',
  'socket connection was closed unexpectedly',
  'response body object should not be disturbed',
  'request timed out',
  'request timeout',
  'read timed out',
  'read timeout',
  'readtimeout',
  'operation timed out',
  'timeout of ',
  'deadline exceeded',
  'timed out waiting',
  'was aborted',
  'http2: ',
  'goaway',
  'cannot connect to api',
  'is not valid json',
  'unexpected token',
  'unexpected end of json input',
  'idle timeout',
]

/** Bare words that would be found inside other texts: they count only as the whole message, or before a colon. */
const WHOLE = /^(?:[a-z]*error: )?(?:terminated|aborted|timeout|timed out|network error)(?:$|[:.])/

/**
 * Reads the codes along the `cause` chain, the innermost first, then the wording. Answers nothing where nothing says
 * that it was the network.
 */
export function readTransport(facts: Facts, said: string): Transport | undefined {
  const outer = outerAbort(facts)
  if (outer) return 'aborted'
  let best: Transport | undefined
  let wrapper = false
  let weight = -1
  for (let at = 0; at < facts.codes.length; at += 1) {
    const each = facts.weights[at] ?? 0
    const code = bareCode(facts.codes[at] ?? '')
    const found = each > weight ? ofCode(code) : undefined
    if (found !== undefined) {
      best = found
      wrapper = WRAPPERS.has(code)
      weight = each
    }
  }
  if (best === 'never_sent') return best
  if (best !== undefined && !wrapper) return whileConnecting(facts, said) ? 'never_sent' : best
  if (NEVER_SENT_WORDS.some((phrase) => said.includes(phrase))) return 'never_sent'
  if (best !== undefined) return best
  return WHOLE.test(said) || MAYBE_SENT_WORDS.some((phrase) => said.includes(phrase)) ? 'maybe_sent' : undefined
}

function ofCode(code: string): Transport | undefined {
  if (NEVER_SENT.has(code) || code.startsWith('err_ssl_') || code.startsWith('err_tls_')) return 'never_sent'
  if (MAYBE_SENT.has(code) || code.startsWith('hpe_') || ABORTED.has(code)) return 'maybe_sent'
  return undefined
}

/**
 * Only an abort that nothing wraps is the caller's own. Inside another error it is how an SDK ended a request that took
 * too long, which may have been sent.
 */
function outerAbort(facts: Facts): boolean {
  const thrown = facts.layers[0]
  if (thrown === undefined) return false
  const [name, code] = [field(thrown, 'name'), field(thrown, 'code')]
  if (code === 20 && name === undefined) return true
  return [name, code].some((each) => typeof each === 'string' && ABORTED.has(each.toLowerCase()))
}

/** A reset or a timeout of the system call that connects: nothing was sent yet. */
function whileConnecting(facts: Facts, said: string): boolean {
  if (said.includes('before secure tls connection') || said.includes('connect etimedout')) return true
  return facts.layers.some((layer) => {
    const call = field(layer, 'syscall') ?? field(layer, 'erroredSysCall')
    return call === 'connect' || call === 'getaddrinfo'
  })
}
