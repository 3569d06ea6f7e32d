import type { Candidate } from '../../core/candidate.ts'
import type { Guard } from '../../heed.ts'

/** The stream class of one of these SDKs. */
type StreamClass = new (iterator: () => AsyncIterator<never>, controller: AbortController) => AsyncIterable<unknown>

type HeedStream = Pick<ReturnType<Guard<Candidate>['stream']>, 'next' | 'return'>

/** Makes the SDK's own stream of heed's. */
export type StreamOf = (items: HeedStream) => AsyncIterable<unknown>

/** Makes streams of the SDK's own class, so that `tee()`, `toReadableStream()` and `controller` are there as ever. */
export function streamBy(Stream: StreamClass): StreamOf {
  return (items) => {
    const controller = new AbortController()
    // The SDK's streams end quietly when their own controller aborts.
    const leave = (): void => {
      items.return().then(undefined, () => undefined)
    }
    controller.signal.addEventListener('abort', leave, { once: true })
    return new Stream(() => items as AsyncIterator<never>, controller)
  }
}
