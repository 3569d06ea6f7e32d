import { askOfItem } from './ask-of-item.ts'
import type { AttemptHandle } from './attempt.ts'
import type { Call } from './call.ts'
import { inspectAnswer } from './classify.ts'
import { EndWatch } from './end-watch.ts'
import { type AttemptFailure, type Attempting, type AttemptOutcome, cancelIfAborted } from './run-attempt.ts'
import { RunningAttempt } from './running-attempt.ts'
import { closeQuietly, type Source, sourceOf } from './source.ts'

/** A stream that has committed, or has ended as it may. */
export interface Opened {
  readonly source: Source
  /** Items read before and with the commit, to be handed over first. */
  readonly held: IteratorResult<unknown>[]
  readonly ended: boolean
  readonly end: EndWatch
  readonly handle: AttemptHandle | undefined
}

/** Items held before content; one more is commit, for a producer that never says what content is. */
const MAX_HELD = 64

/** What an attempt of a stream has read so far; a failure that is passed on as it came still delivers it. */
export class Opening {
  source: Source | undefined
  held: IteratorResult<unknown>[] = []
  readonly end: EndWatch
  readonly handle: AttemptHandle | undefined
  cut = false
  #closed = false

  constructor(call: Call) {
    this.end = new EndWatch(call)
    this.handle = call.handle
  }

  /** Nobody reads on. A source that has not arrived yet is closed when it does. */
  close(reason?: unknown): void {
    this.cut = true
    if (this.source === undefined || this.#closed) return
    this.#closed = true
    closeQuietly(this.source, reason)
  }
}

/** Makes one attempt of a streamed call, up to its commit. */
export function openStream(call: Call, opening: Opening, told: Attempting<Opened>): void {
  call.discard = () => opening.close()
  const running = new RunningAttempt<Opened>(call, told, () => opening.close(call.abortReason))
  readToCommit(call, opening).then((outcome) => running.settle(outcome))
  cancelIfAborted(call)
}

async function readToCommit(call: Call, opening: Opening): Promise<AttemptOutcome<Opened>> {
  try {
    const given = await call.fn(call.handle as never)
    const source = sourceOf(given)
    opening.source = source
    // A stream that arrives after an abort or a timeout has nobody to read it.
    if (opening.cut) opening.close()
    while (!opening.cut) {
      const result = await source.next()
      if (opening.cut) break
      if (result.done === true) return ended(call, opening, source)
      opening.held.push(result)
      const answered = inspectAnswer(call, result.value)
      if (answered !== undefined) return { ok: false, error: result.value, answered }
      opening.end.look(result.value)
      // Where nobody says, it is: what was handed over is not replayed.
      const content = askOfItem(call, 'isContent', result.value) ?? true
      if (content || opening.held.length > MAX_HELD || call.committed) {
        call.commit(content ? 'content' : 'held_limit')
        return opened(opening, source, false)
      }
    }
    return { ok: false, error: undefined, found: 'aborted' }
  } catch (error) {
    return { ok: false, error }
  }
}

/** An end before content is a failure unless the stream may be empty; so is one without the end it must have. */
function ended(call: Call, opening: Opening, source: Source): AttemptOutcome<Opened> | AttemptFailure {
  return call.options.allowEmpty === true && !opening.end.missing
    ? opened(opening, source, true)
    : { ok: false, error: undefined, found: 'incomplete_stream' }
}

function opened({ held, end, handle }: Opening, source: Source, over: boolean): AttemptOutcome<Opened> {
  return { ok: true, value: { source, held, end, handle, ended: over } }
}
