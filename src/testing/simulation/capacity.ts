import type { Phase } from './server-script.ts'

interface Stretch {
  readonly untilMs: number
  readonly perMs: number
}

/**
 * When one request after the other is done by a server whose capacity changes as its script says. Work that has begun
 * slows down and speeds up with the server.
 */
export class Capacity {
  readonly #stretches: readonly Stretch[]
  /** Questions come in the order of time, so the stretches before are never looked at again. */
  #current = 0

  constructor(capacityPerSec: number, phases: readonly Phase[]) {
    const edges = phases.flatMap((phase) => (phase.kind === 'brown_out' ? [phase.fromMs, phase.untilMs] : []))
    const untils = [...new Set(edges), Number.POSITIVE_INFINITY].sort((one, other) => one - other)
    this.#stretches = untils.map((untilMs) => ({
      untilMs,
      perMs: perMsAt(capacityPerSec, partBefore(phases, untilMs)),
    }))
  }

  /** When a request is done whose service begins at a time. Never asked for a time before the last one asked for. */
  doneAtMs(beginMs: number): number {
    while ((this.#stretches[this.#current] as Stretch).untilMs <= beginMs) this.#current += 1
    let fromMs = beginMs
    let left = 1
    for (let index = this.#current; ; index += 1) {
      const { untilMs, perMs } = this.#stretches[index] as Stretch
      const doneMs = fromMs + left / perMs
      if (doneMs <= untilMs) return doneMs
      left -= (untilMs - fromMs) * perMs
      fromMs = untilMs
    }
  }
}

function perMsAt(capacityPerSec: number, part: number): number {
  // No part of a boundless capacity would be NaN.
  return part === 0 ? 0 : (capacityPerSec / 1_000) * part
}

/** The part of the capacity that is there just before a time: brown-outs that overlap multiply. */
function partBefore(phases: readonly Phase[], untilMs: number): number {
  return phases.reduce(
    (part, phase) =>
      phase.kind === 'brown_out' && phase.fromMs < untilMs && untilMs <= phase.untilMs ? part * phase.capacity : part,
    1,
  )
}
