/** Stores of your own: a transport for marks becomes what `createHealth({ store })` takes. */
export { isFirst, isOver, joined, LINGER_MS, NO_SHARE, type Share, type SharedMark } from '../core/share.ts'
export { mirrored } from '../health/mirrored.ts'
export type {
  HealthStore,
  StoreAnswer,
  StoreEntry,
  StoreListener,
  StoreNews,
  StoreTransport,
} from '../health/store.ts'
