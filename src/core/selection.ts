import { affordsRepeat } from './budget.ts'
import { type CallState, candidateTallyOf, tallyOf, triesAt } from './call-state.ts'
import type { Target } from './candidate.ts'
import { isDead } from './death.ts'
import { spread } from './delay.ts'
import { coolingUntilMs, isRefused, type Marks, type ProviderMark, providerMark } from './marks.ts'
import type { Policy } from './policy.ts'
import type { NoteFault } from './strategy.ts'
import { noteWrong } from './strategy-fault.ts'

/** What selection looks at. */
export interface View {
  readonly policy: Policy
  readonly state: CallState
  readonly marks: Marks
  readonly nowMs: number
  /** In [0, 1). */
  readonly random: number
  /** Told of a strategy that threw, or answered what is no answer of its slot. */
  readonly note?: NoteFault | undefined
}

/** A target and the wait before it. */
export interface Choice {
  readonly target: Target
  readonly delayMs: number
  readonly capped?: true
}

/** What selection found: a target, one that waits for a human, or nothing. */
export type Selection = Choice | Waiting | undefined

/** A target whose provider needs a human before it can be taken, and what the auth strategy says to that. */
export interface Waiting {
  readonly blocked: Target
  readonly answer: 'pause' | 'surface'
}

/** Whether the input may go to a target's window: never to one it overflowed, nor to one known to be too small. */
export function windowFits(state: CallState, target: Target): boolean {
  const window = target.contextWindow
  if (state.overflowed !== null) {
    // After an overflow only a larger window that is known can be known to be larger.
    if (state.overflowed === 'unknown' || window === undefined || window <= state.overflowed) return false
  }
  return window === undefined || state.inputTokens === null || window >= state.inputTokens
}

/** Whether a provider is skipped without asking: declined by a human, or its pause ended unanswered in this call. */
export function isDeclined(state: CallState, mark: ProviderMark, provider: string): boolean {
  if (mark.declined) return true
  for (const passed of state.passedOver) {
    if (passed.provider === provider && passed.generation === mark.generation) return true
  }
  return false
}

/** Whether one more attempt at a candidate repeats one that was transient there: that alone costs retry budget. */
export function isRepeat(state: CallState, target: Target): boolean {
  return candidateTallyOf(state, target).last === 'transient'
}

/** Whether the candidate's retry budget allows that repeat. */
export function affords(view: View, target: Target): boolean {
  const { budget } = view.policy.limits
  if (budget === false || view.state.paid === target.position || !isRepeat(view.state, target)) return true
  const { candidate } = target
  const saved = Object.hasOwn(view.marks.budget, candidate) ? view.marks.budget[candidate] : budget.start
  return affordsRepeat(saved ?? budget.start)
}

/** Whether a target could serve the call but for its provider's authorization. */
function servesApartFromAuth(view: View, target: Target): boolean {
  return !isDead(view, target) && windowFits(view.state, target)
}

/** Whether a target is eligible: what selection chooses among, ready or not. */
export function isEligible(view: View, target: Target): boolean {
  if (!servesApartFromAuth(view, target)) return false
  const mark = providerMark(view.marks, target.provider)
  return (
    !mark.blocked &&
    !isDeclined(view.state, mark, target.provider) &&
    !isRefused(mark, target) &&
    triesAt(view.state, target, mark.generation) < view.policy.limits.perTarget &&
    affords(view, target)
  )
}

/** When a target is ready for this call: the later of its cooling mark and the end of the wait computed for it. */
export function readyAtMs(view: View, target: Target): number {
  return Math.max(coolingUntilMs(view.marks, target), tallyOf(view.state, target).readyAtMs)
}

/** Whether a wait ends before the deadline and leaves the call's waits within `maxWaitMs`. */
export function waitFits(view: View, delayMs: number): boolean {
  const { deadlineMs, waitedMs } = view.state
  return (
    waitedMs + delayMs <= view.policy.limits.maxWaitMs && (deadlineMs === null || view.nowMs + delayMs < deadlineMs)
  )
}

/** Whether any other target is ready before a time: there is no point in waiting longer than for it. */
export function anotherSooner(view: View, than: Target, readyByMs: number): boolean {
  for (const target of view.policy.targets) {
    if (target.index !== than.index && isEligible(view, target) && readyAtMs(view, target) < readyByMs) return true
  }
  return false
}

/** Two times this close are one: adding a delay to a clock reading rounds. */
const SAME_MS = 0.001

/** Whether a target may be attempted now. */
export function isReady(view: View, target: Target): boolean {
  return readyAtMs(view, target) - view.nowMs < SAME_MS
}

/** The first ready target; else the earliest-ready whose wait fits; else, capping, the earliest-ready after less. */
export function choose(view: View): Choice | undefined {
  let fitting: Choice | undefined
  let earliest: Choice | undefined
  for (const target of view.policy.targets) {
    if (!isEligible(view, target)) continue
    if (isReady(view, target)) return { target, delayMs: 0 }
    const delayMs = readyAtMs(view, target) - view.nowMs
    if (earliest === undefined || delayMs < earliest.delayMs) earliest = { target, delayMs }
    if (waitFits(view, delayMs) && (fitting === undefined || delayMs < fitting.delayMs)) fitting = { target, delayMs }
  }
  if (fitting !== undefined) return spreadChoice(view, fitting)
  return earliest === undefined ? undefined : cappedChoice(view, earliest.target)
}

/** All who wait for one mark would come back in the same instant. The wait that a call computed is spread already. */
function spreadChoice(view: View, choice: Choice): Choice {
  const { target } = choice
  if (tallyOf(view.state, target).readyAtMs >= coolingUntilMs(view.marks, target)) return choice
  const delayMs = spread(choice.delayMs, view.random)
  return waitFits(view, delayMs) ? { target, delayMs } : choice
}

/**
 * The rule for every new call and every change of target. Where the first candidate that it would have taken, but for
 * a human who is needed, comes before the one that it can take, the auth strategy says what the call does.
 */
export function select(view: View): Selection {
  const choice = choose(view)
  return waitsForHuman(view, choice) ?? choice
}

/** What a call does about a human rather than take a choice; nothing where it goes on. */
export function waitsForHuman(view: View, choice: Choice | undefined): Waiting | undefined {
  const blocked = firstBlocked(view, choice?.target.position)
  if (blocked === undefined) return undefined
  const answer = askAuth(view, blocked.provider, choice !== undefined)
  // With nothing to take the call surfaces anyhow, and by all that it met.
  if (answer === 'advance' || (answer === 'surface' && choice === undefined)) return undefined
  return { blocked, answer }
}

/** What the auth strategy answers about a provider; a pause where it answers nonsense. */
export function askAuth(view: View, provider: string, otherProviderEligible: boolean): 'pause' | 'advance' | 'surface' {
  try {
    const answer = view.policy.auth({ provider, otherProviderEligible })
    if (answer === 'pause' || answer === 'advance' || answer === 'surface') return answer
    noteWrong(view.note, 'auth', answer)
    return 'pause'
  } catch {
    view.note?.('auth', 'threw')
    return 'pause'
  }
}

function firstBlocked(view: View, before: number | undefined): Target | undefined {
  for (const target of view.policy.candidates) {
    if (before !== undefined && target.position >= before) return undefined
    if (!servesApartFromAuth(view, target)) continue
    const mark = providerMark(view.marks, target.provider)
    if (isDeclined(view.state, mark, target.provider)) continue
    if (mark.blocked || allRefused(view, mark, target)) return target
  }
  return undefined
}

/** Whether a candidate has no credential left, though another candidate of its provider may have one. */
function allRefused(view: View, mark: ProviderMark, candidate: Target): boolean {
  if (mark.refused.length === 0) return false
  for (const target of view.policy.targets) {
    if (target.position === candidate.position && !isRefused(mark, target)) return false
  }
  return true
}

/** The consumer-local capping that the contract allows: less than was asked, and only for this call. */
function cappedChoice(view: View, target: Target): Choice | undefined {
  const { capTooLong, maxWaitMs } = view.policy.limits
  const leftMs = maxWaitMs - view.state.waitedMs
  if (!capTooLong || !(leftMs > 0) || !waitFits(view, leftMs)) return undefined
  return { target, delayMs: leftMs, capped: true }
}
