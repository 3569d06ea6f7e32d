import { bareCode } from './kit/codes.ts'
import { type Facts, field } from './kit/facts.ts'
import { ABORTED, MAYBE_SENT, NEVER_SENT, WRAPPERS } from './kit/network-codes.ts'
import { MAYBE_SENT_WORDS, NEVER_SENT_WORDS } from './kit/network-wording.ts'
import type { TextRule } from './kit/wording.ts'

/**
 * What became of a request that failed on the way: it was never sent (safe to repeat), it may have been sent (nobody
 * knows whether it was executed), or the caller itself gave it up.
 */
export type Transport = 'never_sent' | 'maybe_sent' | 'aborted'

/** What wording says of it. They are asked together with a family's own rules, behind these. */
export const networkTexts: readonly TextRule[] = [
  { id: 'never_sent', class: 'transient', any: NEVER_SENT_WORDS },
  { id: 'maybe_sent', class: 'ambiguous', any: MAYBE_SENT_WORDS },
]

/** Bare words that would be found inside other texts: they count only as the whole message, or before a colon. */
const WHOLE = /^(?:error: |typeerror: |fetcherror: |)(?:terminated|aborted|timeout|timed out|network error)(?:[:.]| $)/

/**
 * Reads the codes along the `cause` chain, the innermost first, then the wording, of which `told` is what
 * {@link networkTexts} found. Answers nothing where nothing says that it was the network.
 */
export function readTransport(facts: Facts, said: string, told?: TextRule): Transport | undefined {
  if (outerAbort(facts)) return 'aborted'
  let best: Transport | undefined
  let wrapper = false
  let weight = -1
  for (let at = 0; at < facts.codes.length; at += 1) {
    const each = facts.weights[at] as number
    if (each <= weight) continue
    const code = bareCode(facts.codes[at] as string)
    const found = ofCode(code)
    if (found !== undefined) {
      best = found
      wrapper = WRAPPERS.has(code)
      weight = each
    }
  }
  if (best === 'never_sent') return best
  if (best !== undefined && !wrapper) return whileConnecting(facts, said) ? 'never_sent' : best
  if (told?.id === 'never_sent') return told.id
  if (best !== undefined) return best
  return told?.id === 'maybe_sent' || WHOLE.test(said) ? 'maybe_sent' : undefined
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
  const name = field(thrown, 'name')
  const code = field(thrown, 'code')
  if (code === 20 && name === undefined) return true
  return isAbort(name) || isAbort(code)
}

function isAbort(name: unknown): boolean {
  return typeof name === 'string' && ABORTED.has(name.toLowerCase())
}

/** A reset or a timeout of the system call that connects: nothing was sent yet. */
function whileConnecting(facts: Facts, said: string): boolean {
  if (said.includes('before secure tls connection') || said.includes('connect etimedout')) return true
  return facts.layers.some((layer) => {
    const call = field(layer, 'syscall') ?? field(layer, 'erroredSysCall')
    return call === 'connect' || call === 'getaddrinfo'
  })
}
