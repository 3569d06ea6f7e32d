import type { Marks, Observation } from '../core/marks.ts'
import { providerMark } from '../core/marks.ts'
import type { Policy } from '../core/policy.ts'
import { lastMs, type Share } from '../core/share.ts'
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

/** The mark that a renewal leaves: a time that has passed, to know by what came before it and what came since. */
export const SINCE = 'since'

/** How long a store remembers a group after its last mark. */
export const keepMs = (group: string): number => (group.startsWith(PROVIDER) ? PROMPT_MS : LINGER_MS)

/** Whether a group has nothing more to say here: half as long as in the store, which must be the last to forget a generation. */
export const isOver = (group: string, share: Share, nowMs: number): boolean =>
  lastMs(share) + keepMs(group) / 2 <= nowMs

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
      return [HINTS, BREAKER].map((kind) => renewed(kind + observation.candidate, nowMs))
    case 'success': {
      const { candidate } = observation.target
      const closed = policy.targets.some(
        ({ candidate: one, key }) =>
          one === candidate &&
          before.cooling[key]?.openUntilMs !== undefined &&
          after.cooling[key]?.openUntilMs === undefined,
      )
      return closed ? [renewed(BREAKER + candidate, nowMs)] : []
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
  if (how === 'resolved') return [{ ...renewed(group, nowMs), generation }]
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

const renewed = (group: string, nowMs: number): Pending => ({
  ...raised(group, null, { [SINCE]: nowMs }),
  renew: true,
})

const isSaying = ({ untilMs }: Pending): boolean => Object.keys(untilMs).length > 0

/** The name of a credential's mark; a candidate that lists none has the empty one. */
export const nameOf = (credential: string | undefined): string => `k:${credential ?? ''}`
