export type { ConformanceCase } from '../testing/conformance/conformance-case.ts'
export { type AdapterConformanceOptions, type AdapterSample, adapterConformance, type RawFailure } from './adapter.ts'
export type { QuotaSamples } from './quota.ts'
export { type EmittedError, type WireConformanceOptions, type WireSample, wireConformance } from './wire.ts'
