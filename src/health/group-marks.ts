import { targetKey } from '../core/candidate.ts'
import { type DeadMark, deathKey } from '../core/death.ts'
import type { CoolingMark, Marks, Observation, ProviderMark } from '../core/marks.ts'
import { providerMark } from '../core/marks.ts'
import type { Policy } from '../core/policy.ts'
import { NO_SHARE, type Share } from '../core/share.ts'
import type { Pending } from './outbox.ts'

/** A candidate's hints and deaths, its breaker with the leases of probes, and a provider's authorization. */
export const HINTS = 'h:'
export const BREAKER = 'b:'
export const PROVIDER = 'p:'

/** How long a probe that nobody hears of keeps the others away: longer than most calls take, short enough to wait for. */
export const PROBE_MS = 5_000
/** What a late message, or a process that was away, may still be behind by. */
const LINGER_MS = 600_000
/** A human's answer is waited for this long after anyone last spoke of it. */
const PROMPT_MS = 30 * 86_400_000

/** How long a group is remembered after its last mark. */
export const keepMs = (group: string): number => (group.startsWith(PROVIDER) ? PROMPT_MS : LINGER_MS)

/** The marks without the budgets, as a draft. */
export interface MarksDraft {
  readonly cooling: Record<string, CoolingMark>
  readonly providers: Record<string, ProviderMark>
  readonly dead: Record<string, DeadMark>
}

type Times = Record<string, number>

/** What an observation has to say to other processes: the difference that it made. */
export function pendingsOf(
  policy: Pick<Policy, 'targets'>,
  observation: Observation,
  before: Marks,
  after: Marks,
  nowMs: number,
): readonly Pending[] {
  switch (observation.kind) {
    case 'resolved':
    case 'declined':
      return providerPendings(observation.provider, observation.kind, after, nowMs)
    case 'revived':
      return [HINTS, BREAKER].map((kind) => renewed(kind + observation.candidate))
    case 'success': {
      const { candidate } = observation.target
      const closed = policy.targets.some(
        ({ candidate: one, key }) =>
          one === candidate &&
          before.cooling[key]?.openUntilMs !== undefined &&
          after.cooling[key]?.openUntilMs === undefined,
      )
      return closed ? [renewed(BREAKER + candidate)] : []
    }
    case 'failure': {
      const { target } = observation.failure
      const auth =
        before.providers === after.providers ? [] : providerPendings(target.provider, 'refused', after, nowMs)
      return [...auth, ...coolingPendings(policy, target.candidate, before, after), ...deaths(before, after)]
    }
    default:
      return coolingPendings(policy, observation.target.candidate, before, after)
  }
}

function coolingPendings(
  policy: Pick<Policy, 'targets'>,
  candidate: string,
  before: Marks,
  after: Marks,
): readonly Pending[] {
  const hints: Times = {}
  const opens: Times = {}
  for (const { candidate: one, credential, key } of policy.targets) {
    const [then, now] = [before.cooling[key], after.cooling[key]]
    if (one !== candidate || now === undefined || now === then) continue
    if (now.untilMs > (then?.untilMs ?? 0)) hints[nameOf(credential)] = now.untilMs
    if (now.openUntilMs !== undefined && now.openUntilMs !== then?.openUntilMs) {
      opens[nameOf(credential)] = now.openUntilMs
    }
  }
  return [raised(HINTS + candidate, null, hints), raised(BREAKER + candidate, null, opens)].filter(isSaying)
}

function deaths(before: Marks, after: Marks): readonly Pending[] {
  if (before.dead === after.dead) return []
  return Object.entries(after.dead ?? {})
    .filter(([key, mark]) => before.dead?.[key] !== mark)
    .map(([, { candidate, untilMs }]) => raised(HINTS + candidate, null, { dead: untilMs }))
}

function providerPendings(
  provider: string,
  how: 'resolved' | 'declined' | 'refused',
  after: Marks,
  nowMs: number,
): readonly Pending[] {
  const group = PROVIDER + provider
  const { generation, refused, blocked } = providerMark(after, provider)
  const untilMs = nowMs + PROMPT_MS
  if (how === 'resolved') return [{ ...renewed(group), generation }]
  // A human's no is about the provider as it is now, whatever generation this process has heard of.
  if (how === 'declined') return [raised(group, null, { declined: untilMs })]
  const marks: Times = Object.fromEntries(refused.map((id) => [nameOf(id), untilMs]))
  return [raised(group, generation, blocked ? { ...marks, blocked: untilMs } : marks)]
}

const raised = (group: string, generation: number | null, untilMs: Times): Pending => ({
  group,
  generation,
  untilMs,
  keepMs: keepMs(group),
})

const renewed = (group: string): Pending => ({ ...raised(group, null, {}), renew: true })

const isSaying = ({ untilMs }: Pending): boolean => Object.keys(untilMs).length > 0

/** The name of a credential's mark; a candidate that lists none has the empty one. */
const nameOf = (credential: string | undefined): string => `k:${credential ?? ''}`

/** Draws the marks that a candidate's shares, or a provider's, come to. `names` are those that may have been drawn before. */
export function drawGroup(
  draft: MarksDraft,
  group: string,
  shareOf: (group: string) => Share | undefined,
  names: ReadonlySet<string>,
  nowMs: number,
): void {
  const id = group.slice(HINTS.length)
  if (group.startsWith(PROVIDER)) drawProvider(draft, id, shareOf(group), nowMs)
  else drawCandidate(draft, id, shareOf(HINTS + id) ?? NO_SHARE, shareOf(BREAKER + id) ?? NO_SHARE, names, nowMs)
}

function drawCandidate(
  { cooling, dead }: MarksDraft,
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
      const credential = name === 'k:' ? undefined : name.slice(2)
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

function drawProvider({ providers }: MarksDraft, provider: string, share: Share | undefined, nowMs: number): void {
  if (share === undefined) return
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
