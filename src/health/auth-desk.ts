import { providerMark } from '../core/marks.ts'
import { LINGER_MS } from '../core/share.ts'
import type { AuthPromptEvent, TargetEvent } from './call-events.ts'
import type { Channel } from './channel.ts'
import { PATIENCE_MS, PROVIDER } from './group-marks.ts'
import type { MarkStore } from './mark-store.ts'

/** Calls that have waited for the same thing go on spread over this time. */
export const SPREAD_MS = 1_000

/** A prompt that nobody has answered yet. */
export interface PendingPrompt {
  readonly provider: string
  readonly generation: number
  /** Ids of the refused credentials; empty where the candidate lists none. */
  readonly refused: readonly string[]
  /** Whether no call can use the provider until it is answered. */
  readonly blocking: boolean
  /** Calls that wait for the answer. */
  readonly waiting: number
}

/** Told how a human answered, and how long to stay behind the calls before it. */
export type Answered = (outcome: 'resolved' | 'declined', afterMs: number) => void

/** Who waits, for a prompt that is raised for him. */
export type Asking = () => TargetEvent

/** Where calls wait for humans: one prompt per provider and generation, however many calls wait for it. */
export class AuthDesk {
  readonly #waiting = new Map<string, Map<Answered, Asking>>()
  /** Counts the answers that left no refusal, by provider. */
  readonly #answers = new Map<string, number>()
  /** The last prompts raised here, by provider. */
  readonly #prompted = new Map<string, Pick<AuthPromptEvent, 'generation' | 'at'>>()
  readonly #store: MarkStore
  readonly #channel: Channel
  readonly #now: () => number
  readonly #random: () => number

  constructor(store: MarkStore, channel: Channel, now: () => number, random: () => number) {
    this.#store = store
    this.#channel = channel
    this.#now = now
    this.#random = random
  }

  /** Waits for an answer about a provider. Answers how to stop waiting. */
  join(provider: string, answered: Answered, asking: Asking): () => void {
    const waiting = this.#waiting.get(provider) ?? new Map()
    this.#waiting.set(provider, waiting.set(answered, asking))
    return () => {
      waiting.delete(answered)
      if (waiting.size === 0 && this.#waiting.get(provider) === waiting) this.#waiting.delete(provider)
    }
  }

  pending(): readonly PendingPrompt[] {
    return Object.entries(this.#store.current.providers)
      .filter(([, mark]) => mark.refused.length > 0 && !mark.declined)
      .map(([provider, mark]) => ({
        provider,
        generation: mark.generation,
        refused: mark.refused.filter((id) => id !== ''),
        blocking: mark.blocked,
        waiting: this.#waiting.get(provider)?.size ?? 0,
      }))
  }

  resolve(provider: string): void {
    const at = this.#now()
    this.#store.observe({ targets: [] }, { kind: 'resolved', provider })
    this.#answer(provider, 'resolved', at, 0)
  }

  decline(provider: string, reason?: string): void {
    const at = this.#now()
    this.#store.observe({ targets: [] }, { kind: 'declined', provider })
    this.#answer(provider, 'declined', at, 0, reason)
  }

  /**
   * A human has answered in another process: none of the calls here is the one that goes first. All the others hear of
   * it at the same time: each begins elsewhere in its turn.
   */
  answeredElsewhere(provider: string, outcome: 'resolved' | 'declined'): void {
    this.#answer(provider, outcome, this.#now(), this.#random())
  }

  /** Raises a prompt: at once, or where processes share a store in the one that was refused first. */
  prompt(event: AuthPromptEvent): void {
    const isFirst = this.#store.mirror?.answerFor(PROVIDER + event.provider)
    if (isFirst === undefined) {
      // A listener may have answered already.
      const { generation, declined } = providerMark(this.#store.current, event.provider)
      if (generation === event.generation && !declined) this.#channel.emit('auth_prompt', event)
      return
    }
    this.#promptIf(isFirst, event)
  }

  /** Asks in the place of a process that was refused first and has not lived to ask, where a call waits here. */
  askFor(provider: string): void {
    const [asking] = this.#waiting.get(provider)?.values() ?? []
    const { mirror } = this.#store
    if (asking !== undefined && mirror !== undefined) this.#promptIf(mirror.asker.asks(provider, this.#now()), asking())
  }

  #promptIf(isFirst: Promise<boolean | undefined>, event: TargetEvent): void {
    const { provider } = event
    const answers = this.#answers.get(provider)
    void isFirst.then((first) => {
      const { generation, refused, blocked, declined } = providerMark(this.#store.current, provider)
      // What it asked about has been answered: what is refused now others ask about.
      if (first === false || refused.length === 0 || declined || this.#answers.get(provider) !== answers) return
      const at = this.#now()
      // It stood still: another may have asked in its place.
      if (at - event.at > PATIENCE_MS) {
        this.askFor(provider)
        return
      }
      // Joining may have raised the generation with the refusal still standing: it is this one's prompt all the same,
      // but of two that were asked about before, only one's.
      const last = this.#prompted.get(provider)
      if (last?.generation === generation && at - last.at < LINGER_MS) return
      const ids = Object.freeze(refused.filter((id) => id !== ''))
      const prompt = { ...event, generation, refused: ids, blocking: blocked, at }
      this.#prompted.set(provider, prompt)
      this.#channel.emit('auth_prompt', prompt)
      this.#store.mirror?.asker.asked(provider)
    })
  }

  /** @param behind - Places behind the call that goes first. */
  #answer(provider: string, outcome: 'resolved' | 'declined', at: number, behind: number, reason?: string): void {
    const waiting = [...(this.#waiting.get(provider)?.keys() ?? [])]
    this.#waiting.delete(provider)
    const { generation, refused } = providerMark(this.#store.current, provider)
    if (refused.length === 0) this.#answers.set(provider, (this.#answers.get(provider) ?? 0) + 1)
    this.#channel.emit('auth_resolved', {
      at,
      provider,
      outcome,
      generation,
      ...(reason === undefined ? {} : { reason }),
      waiting: waiting.length,
    })
    // One call tries the new credential first; the others come evenly behind it, so that a provider that has just
    // come back is not met by all of them at once. After a no there is nobody to spare.
    const stepMs = outcome === 'resolved' ? SPREAD_MS / Math.max(1, waiting.length) : 0
    waiting.forEach((answered, place) => {
      answered(outcome, (place + behind) * stepMs)
    })
  }
}
