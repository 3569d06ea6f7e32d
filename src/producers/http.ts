import { type AdapterProducer, adapter, codeTable } from './producer.ts'

/**
 * HTTP itself: the class that a status has where nothing else is known, after RFC 9110 and the error-class contract's
 * refinements (401 asks for a login, 403 never does). Reads `Retry-After` and `retry-after-ms`.
 */
export const http: AdapterProducer = adapter({ id: 'http', codes: codeTable({}), hints: {} })
