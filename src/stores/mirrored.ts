/** Stores of your own: a transport for marks becomes what `createHealth({ store })` takes. */
export { mirrored } from '../health/mirrored.ts'
export type { HealthStore, StoreEntry, StoreListener, StoreTransport, StoreWrite } from '../health/store.ts'
