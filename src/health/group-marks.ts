import type { CoolingMark, Marks, Observation } from '../core/marks.ts'
import { providerMark } from '../core/marks.ts'
import type { Policy } from '../core/policy.ts'
import { NO_SHARE, type Share } from '../core/share.ts'

/** A candidate's hints and deaths, its breaker, the lease of its probe, and a provider's authorization. */
export const HINTS = 'h:'
export const BREAKER = 'b:'
/** Apart from the breaker, so that the first live mark is the one who probes. */
export const LEASE = 'l:'
export const PROVIDER = 'p:'
/** Who asks a human of all who find that nobody has. */
export const ASKER = 'a:'

/** Three years. Longer ones, and endless ones, would not survive the arithmetic of every store. */
export const MOST_MS = 1e11
/** How long a probe keeps the others away after a hint: longer than most calls take, short enough to wait for. */
export const PROBE_MS = 5_000
/** Whoever is to ask a human has done so by then, or does not live any more. */
export const PATIENCE_MS = 10_000
/** A human's answer is waited for this long after anyone last spoke of it. His no holds until it is taken back. */
const PROMPT_MS = 30 * 86_400_000

/** The name of a credential's mark; a candidate that lists none has the empty one. */
export const nameOf = (credential: string | undefined): string => `k:${credential ?? ''}`
/** In a breaker's group: the target is half-open after a hint, without a breaker. */
export const halfOpenNameOf = (credential: string | undefined): string => `h:${credential ?? ''}`

/** The own clock shows 0 at some start; in shares 0 stands for none, so that its times are moved up by so much there. */
export const OWN_EPOCH_MS = 1e12

/** A change of a group, by the own clock from its epoch on. */
export type Change = readonly [group: string, share: Share]

type Times = Readonly<Record<string, number>>

/** What an observation has to say to other processes: the difference that it made. */
export function changesOf(
  policy: Pick<Policy, 'targets'>,
  observation: Observation,
  before: Marks,
  after: Marks,
  nowMs: number,
): readonly Change[] {
  switch (observation.kind) {
    case 'resolved':
    case 'declined':
      return [providerChange(observation.provider, observation.kind, before, after, nowMs)]
    case 'revived':
      return [HINTS, BREAKER, LEASE].map((kind) => ended(kind + observation.candidate, nowMs))
    case 'success': {
      const { candidate } = observation.target
      const left = opens(cooled(policy, candidate, after))
      if (left.length === opens(cooled(policy, candidate, before)).length) return []
      // Other credentials may still have hints of their own, which are set anew after the end.
      const rest = left.map(({ credential, openUntilMs }) => [halfOpenNameOf(credential), openUntilMs] as const)
      const again = marked(BREAKER + candidate, 0, Object.fromEntries(rest), nowMs)
      return [ended(BREAKER + candidate, nowMs), ended(LEASE + candidate, nowMs), ...(left.length > 0 ? [again] : [])]
    }
    case 'unproven':
      return [ended(LEASE + observation.target.candidate, nowMs)]
    case 'probe': {
      const { candidate, key } = observation.target
      const openUntilMs = after.cooling[key]?.openUntilMs ?? nowMs
      // Over in the store before anybody lets the next one go: half the time there, twice that here.
      return [marked(LEASE + candidate, 0, { probe: (nowMs + openUntilMs) / 2 }, nowMs)]
    }
    case 'failure': {
      const { candidate, provider } = observation.failure.target
      const refused =
        before.providers === after.providers ? [] : [providerChange(provider, 'refused', before, after, nowMs)]
      const cools = coolingChanges(policy, candidate, halfOpenNameOf, before, after, nowMs)
      return [...refused, ...cools, ...deaths(before, after, nowMs)]
    }
    default:
      return coolingChanges(policy, observation.target.candidate, nameOf, before, after, nowMs)
  }
}

function cooled(policy: Pick<Policy, 'targets'>, candidate: string, { cooling }: Marks): readonly CoolingMark[] {
  return policy.targets.flatMap(({ candidate: one, key }) => {
    const mark = cooling[key]
    return one === candidate && mark !== undefined ? [mark] : []
  })
}

type Open = CoolingMark & { readonly openUntilMs: number }

const opens = (marks: readonly CoolingMark[]): readonly Open[] =>
  marks.filter((mark): mark is Open => mark.openUntilMs !== undefined)

/** @param openNameOf - A hint's, or the breaker's: by the breaker's end it is read how long that cools. */
function coolingChanges(
  policy: Pick<Policy, 'targets'>,
  candidate: string,
  openNameOf: typeof nameOf,
  before: Marks,
  after: Marks,
  nowMs: number,
): readonly Change[] {
  const then = cooled(policy, candidate, before)
  const hints: Record<string, number> = {}
  const ends: Record<string, number> = {}
  for (const mark of cooled(policy, candidate, after)) {
    const { credential, untilMs, openUntilMs, coolMs } = mark
    const old = then.find((one) => one.credential === credential)
    if (mark === old) continue
    if (untilMs > (old?.untilMs ?? 0)) hints[nameOf(credential)] = untilMs
    const isOther = openUntilMs !== old?.openUntilMs || coolMs !== old?.coolMs
    if (openUntilMs !== undefined && isOther) ends[openNameOf(credential)] = openUntilMs
  }
  const changes = [marked(HINTS + candidate, 0, hints, nowMs), marked(BREAKER + candidate, 0, ends, nowMs)].filter(
    ([, { marks }]) => Object.keys(marks).length > 0,
  )
  // A probe that failed is over: the next one must not find its lease.
  return changes.length > 0 && opens(then).length > 0 ? [...changes, ended(LEASE + candidate, nowMs)] : changes
}

/** Whether what is told of a group ends a breaker that was open. */
export function isClosedBy(before: Share, { group, sinceMs }: Share & { readonly group: string }): boolean {
  const isOpen = group.startsWith(BREAKER) && Object.keys(before.marks).some((name) => name.startsWith(nameOf('')))
  return isOpen && sinceMs > before.sinceMs
}

function deaths(before: Marks, after: Marks, nowMs: number): readonly Change[] {
  if (before.dead === after.dead) return []
  return Object.entries(after.dead ?? {})
    .filter(([key, mark]) => before.dead?.[key] !== mark)
    .map(([, { candidate, untilMs }]) => marked(HINTS + candidate, 0, { dead: untilMs }, nowMs))
}

function providerChange(
  provider: string,
  how: 'resolved' | 'declined' | 'refused',
  before: Marks,
  after: Marks,
  nowMs: number,
): Change {
  const group = PROVIDER + provider
  const { generation, refused, blocked } = providerMark(after, provider)
  if (how === 'resolved') return [group, { ...ended(group, nowMs)[1], generation }]
  const untilMs = nowMs + PROMPT_MS
  if (how === 'declined') return marked(group, generation, { declined: nowMs + MOST_MS }, nowMs)
  const then = providerMark(before, provider)
  const added = refused.filter((id) => !then.refused.includes(id)).map((id) => [nameOf(id), untilMs])
  const times: Times = Object.fromEntries(added)
  return marked(group, generation, blocked && !then.blocked ? { ...times, blocked: untilMs } : times, nowMs)
}

/** Somebody is about to ask about a provider, in the place of one who has not. */
export const askingOf = (provider: string, generation: number, nowMs: number): Change =>
  marked(ASKER + provider, generation, { asking: nowMs + PATIENCE_MS }, nowMs)

function marked(group: string, generation: number, times: Times, nowMs: number): Change {
  const marks = Object.entries(times).map(([name, untilMs]) => [
    name,
    { untilMs: OWN_EPOCH_MS + Math.min(untilMs, nowMs + MOST_MS), setMs: OWN_EPOCH_MS + nowMs },
  ])
  return [group, { ...NO_SHARE, generation, marks: Object.fromEntries(marks) }]
}

const ended = (group: string, nowMs: number): Change => [group, { ...NO_SHARE, sinceMs: OWN_EPOCH_MS + nowMs }]
