/** Nothing was sent: the connection never stood. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

/** The request was on its way, or in work: nobody can say whether it was executed. */
const PERHAPS_EXECUTED = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])

/** What a lost connection means for the request it carried; nothing for any other failure. */
export function classifySocketLoss(failure) {
  if (NEVER_SENT.has(failure?.code)) return { class: 'transient' }
  if (PERHAPS_EXECUTED.has(failure?.code)) return { class: undefined, ambiguous: true }
  return undefined
}
