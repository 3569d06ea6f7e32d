import { ASKER, askingOf, PATIENCE_MS, PROVIDER } from './group-marks.ts'
import type { Shares } from './shares.ts'

/** In a provider's group: a human has been asked. */
const ASKED = 'asked'

/** Sees to it that a human is asked, though the process that is to ask may die before it has. */
export class Asker {
  readonly #shares: Shares
  readonly #publish: (group: string) => Promise<boolean | undefined>

  /** @param publish - Publishes a group. Answers whether its mark was the first there. */
  constructor(shares: Shares, publish: (group: string) => Promise<boolean | undefined>) {
    this.#shares = shares
    this.#publish = publish
  }

  /** Tells the other processes that a human has been asked about a provider. */
  asked(provider: string): void {
    const group = PROVIDER + provider
    if (this.#shares.addMark(group, ASKED)) void this.#publish(group)
  }

  /**
   * Whether this process is the one that asks about a provider in the place of one who has not. Where the store does not
   * say, none is: it will be read again.
   */
  async asks(provider: string, nowMs: number): Promise<boolean> {
    const { generation } = this.#shares.get(PROVIDER + provider)
    this.#shares.change(...askingOf(provider, generation, nowMs))
    const isFirst = await this.#publish(ASKER + provider)
    // It may have come to light by now that somebody has.
    return isFirst === true && this.unasked(nowMs).includes(provider)
  }

  /** Providers that have refused, about which nobody was asked in time. */
  unasked(nowMs: number): readonly string[] {
    return [...this.#shares.entries()].flatMap(([group, { marks }]) => {
      if (!group.startsWith(PROVIDER)) return []
      const times = Object.values(marks).map(({ setMs }) => this.#shares.toOwn(setMs))
      const isLate = times.length > 0 && Math.max(...times) + PATIENCE_MS < nowMs
      const { [ASKED]: asked, declined } = marks
      const isAsked = asked !== undefined && this.#shares.toOwn(asked.untilMs) > nowMs
      return isLate && !isAsked && declined === undefined ? [group.slice(PROVIDER.length)] : []
    })
  }
}
