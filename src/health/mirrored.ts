import { Mirror } from './mirror.ts'
import type { HealthStore, StoreTransport } from './store.ts'

/**
 * Makes a store of a transport: for `createHealth({ store })`, over whatever your processes share.
 *
 * @param transport - Kept by identity and asked as it is; `storeConformance` of `heed/testing` tries it.
 */
export function mirrored<T extends StoreTransport>(transport: T): T & HealthStore {
  return Object.assign(transport, { Mirror })
}
