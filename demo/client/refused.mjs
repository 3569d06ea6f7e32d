/** A provider answered with a status other than 2xx. The body's error is kept as it came, the way provider SDKs do. */
export class RefusedByProvider extends Error {
  /** @override */
  name = 'RefusedByProvider'

  constructor(status, body) {
    super(`the provider answered ${status}`)
    this.status = status
    this.error = typeof body?.error === 'object' ? body.error : body
  }
}
