import type { ErrorClass } from '../../core/classification.ts'

/**
 * 400-499 that are not simply permanent. 408, 409, 421, 423, 424, 425 and 499 are states of a connection or a resource
 * that pass; 413 bounds the input; 407 asks for the proxy's credential.
 */
const CLIENT_SIDE: Readonly<Record<number, ErrorClass>> = {
  401: 'auth_required',
  407: 'auth_required',
  408: 'transient',
  409: 'transient',
  413: 'context_overflow',
  421: 'transient',
  423: 'transient',
  424: 'transient',
  425: 'transient',
  429: 'transient',
  499: 'transient',
}

/** 500-599 that no waiting mends: not implemented, version, negotiation, loop, extension. 511 is a portal's login. */
const SERVER_SIDE: Readonly<Record<number, ErrorClass>> = {
  501: 'permanent',
  505: 'permanent',
  506: 'permanent',
  508: 'permanent',
  510: 'permanent',
  511: 'auth_required',
}

/** The class of a bare status; nothing for one that is no failure. A status was answered, so it is never ambiguous. */
export function httpClass(status: number): ErrorClass | undefined {
  if (status < 400 || status > 599) return undefined
  return status < 500 ? (CLIENT_SIDE[status] ?? 'permanent') : (SERVER_SIDE[status] ?? 'transient')
}
