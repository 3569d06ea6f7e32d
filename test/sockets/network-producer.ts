import type { Classification, Producer } from 'heed'

/** What undici's codes say, for these tests: was the request sent, and did it fail on the way back. */
const MEANING: Readonly<Record<string, Classification>> = {
  ECONNREFUSED: { class: 'transient' },
  ECONNRESET: { class: 'transient', ambiguous: true },
  UND_ERR_SOCKET: { class: 'transient', ambiguous: true },
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: { class: 'transient', ambiguous: true },
  UND_ERR_RES_EXCEEDED_MAX_SIZE: { class: 'permanent' },
}

/** Reads a failed connection as a producer adapter does: the code of the error or of one of its causes. */
export const networkProducer: Producer = {
  classify: (raw) => {
    for (let error = raw; error instanceof Error; error = error.cause) {
      const meaning = MEANING[(error as NodeJS.ErrnoException).code ?? '']
      if (meaning !== undefined) return meaning
    }
    return undefined
  },
}
