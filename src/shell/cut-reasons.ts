/** The reason that an attempt's signal gives when heed itself cuts the attempt. */
export function timedOut(limit: 'timeoutMs' | 'attemptTimeoutMs' | 'idleTimeoutMs'): DOMException {
  return new DOMException(`heed: ${limit} has passed`, 'TimeoutError')
}

/** The reason that an attempt's signal gives when the consumer of a stream has left. */
export function left(): DOMException {
  return new DOMException('heed: the consumer left the stream', 'AbortError')
}
