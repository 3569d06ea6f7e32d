import { targetKey } from '../core/candidate.ts'
import { type DeadMark, deathKey } from '../core/death.ts'
import { type CoolingMark, type Marks, type ProviderMark, providerMark } from '../core/marks.ts'
import { NO_SHARE, type Share } from '../core/share.ts'
import { BREAKER, HINTS, nameOf, PROBE_MS, PROVIDER } from './group-marks.ts'

interface Draft {
  readonly cooling: Record<string, CoolingMark>
  readonly providers: Record<string, ProviderMark>
  readonly dead: Record<string, DeadMark>
}

type ShareOf = (group: string) => Share | undefined

/**
 * Draws the marks that the shares of some groups come to.
 *
 * @param names - The groups, each with the names of the marks that may have been drawn before.
 */
export function drawn(
  before: Omit<Marks, 'budget'>,
  names: ReadonlyMap<string, ReadonlySet<string>>,
  shareOf: ShareOf,
  nowMs: number,
): Omit<Marks, 'budget'> {
  const draft: Draft = { cooling: { ...before.cooling }, providers: { ...before.providers }, dead: { ...before.dead } }
  for (const [group, known] of names) {
    const id = group.slice(HINTS.length)
    if (group.startsWith(PROVIDER)) drawProvider(draft, id, shareOf(group), nowMs)
    else drawCandidate(draft, id, shareOf(HINTS + id) ?? NO_SHARE, shareOf(BREAKER + id) ?? NO_SHARE, known, nowMs)
  }
  const { cooling, providers, dead } = draft
  return { cooling, providers, ...(Object.keys(dead).length > 0 ? { dead } : {}) }
}

/** How a human has answered about a provider, by two drawings; nothing where another refusal has come already. */
export function answerBetween(
  before: Pick<Marks, 'providers'>,
  after: Pick<Marks, 'providers'>,
  provider: string,
): 'resolved' | 'declined' | undefined {
  const [then, now] = [providerMark(before, provider), providerMark(after, provider)]
  if (now.declined) return then.declined ? undefined : 'declined'
  return now.generation > then.generation && !now.blocked ? 'resolved' : undefined
}

function drawCandidate(
  { cooling, dead }: Draft,
  candidate: string,
  hints: Share,
  breaker: Share,
  names: ReadonlySet<string>,
  nowMs: number,
): void {
  for (const name of new Set([...names, ...Object.keys(hints.untilMs), ...Object.keys(breaker.untilMs)])) {
    const untilMs = hints.untilMs[name] ?? 0
    if (name === 'dead') {
      if (untilMs > nowMs) dead[deathKey(candidate)] = { candidate, untilMs }
      else delete dead[deathKey(candidate)]
    } else if (name.startsWith('k:')) {
      const credential = name === nameOf(undefined) ? undefined : name.slice(2)
      const key = targetKey(candidate, credential)
      const openUntilMs = breaker.untilMs[name]
      const coolMs = cooling[key]?.coolMs ?? PROBE_MS
      delete cooling[key]
      if (openUntilMs === undefined && untilMs <= nowMs) continue
      cooling[key] = {
        candidate,
        ...(credential === undefined ? {} : { credential }),
        untilMs,
        ...(openUntilMs === undefined ? {} : { openUntilMs, coolMs }),
      }
    }
  }
}

function drawProvider({ providers }: Draft, provider: string, share: Share | undefined, nowMs: number): void {
  if (share === undefined) {
    delete providers[provider]
    return
  }
  const live = Object.keys(share.untilMs).filter((name) => (share.untilMs[name] ?? 0) > nowMs)
  const mark: ProviderMark = {
    generation: share.generation,
    refused: live.filter((name) => name.startsWith('k:')).map((name) => name.slice(2)),
    blocked: live.includes('blocked'),
    declined: live.includes('declined'),
  }
  // Ids are the user's: one named like a property of every object must still be a property of this one.
  Object.defineProperty(providers, provider, { value: mark, enumerable: true, writable: true, configurable: true })
}
