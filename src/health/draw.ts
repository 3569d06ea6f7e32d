import { targetKey } from '../core/candidate.ts'
import { type DeadMark, deathKey, FOREVER_MS } from '../core/death.ts'
import { type CoolingMark, type Marks, type ProviderMark, providerMark } from '../core/marks.ts'
import { NO_SHARE, type Share, type SharedMark } from '../core/share.ts'
import { ASKER, BREAKER, HINTS, halfOpenNameOf, LEASE, MOST_MS, nameOf, PROVIDER } from './group-marks.ts'

/** What all processes know, as this one reads it. */
export interface Known {
  get(group: string): Share
  /** A time of the store's by the own clock. */
  toOwn(ms: number): number
}

interface Draft {
  readonly cooling: Record<string, CoolingMark>
  readonly providers: Record<string, ProviderMark>
  readonly dead: Record<string, DeadMark>
}

/** Draws the marks that some groups come to. */
export function drawn(
  before: Omit<Marks, 'budget'>,
  groups: Iterable<string>,
  known: Known,
  nowMs: number,
): Omit<Marks, 'budget'> {
  const draft: Draft = { cooling: { ...before.cooling }, providers: { ...before.providers }, dead: { ...before.dead } }
  const candidates = new Set<string>()
  for (const group of groups) {
    const id = group.slice(HINTS.length)
    if (group.startsWith(PROVIDER)) drawProvider(draft, id, known, nowMs)
    else if (!group.startsWith(ASKER)) candidates.add(id)
  }
  for (const [key, { candidate }] of Object.entries(draft.cooling)) {
    if (candidates.has(candidate)) delete draft.cooling[key]
  }
  for (const candidate of candidates) drawCandidate(draft, candidate, known, nowMs)
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

function drawCandidate({ cooling, dead }: Draft, candidate: string, known: Known, nowMs: number): void {
  const hints = known.get(HINTS + candidate).marks
  const opens = known.get(BREAKER + candidate).marks
  const lease = known.get(LEASE + candidate).marks['probe']
  // It is over in the store by half of the time that it keeps others away, whatever their messages take.
  const leaseUntilMs = lease === undefined ? 0 : known.toOwn(lease.untilMs + Math.max(0, lease.untilMs - lease.setMs))
  const names = [...Object.keys(hints), ...Object.keys(opens)].filter((name) => /^[kh]:/.test(name))
  for (const credential of new Set(names.map((name) => name.slice(nameOf('').length)))) {
    const untilMs = known.toOwn(hints[nameOf(credential)]?.untilMs ?? Number.NEGATIVE_INFINITY)
    const breaker = opens[nameOf(credential)]
    const ends = [breaker, opens[halfOpenNameOf(credential)]].flatMap((mark) => mark?.untilMs ?? [])
    if (ends.length === 0 && untilMs <= nowMs) continue
    const id = credential === '' ? undefined : credential
    cooling[targetKey(candidate, id)] = {
      candidate,
      ...(id === undefined ? {} : { credential: id }),
      untilMs: Math.max(0, untilMs),
      ...(ends.length === 0 ? {} : { openUntilMs: Math.max(leaseUntilMs, ...ends.map((ms) => known.toOwn(ms))) }),
      ...(breaker === undefined ? {} : { coolMs: breaker.untilMs - breaker.setMs }),
    }
  }
  const death = hints['dead']
  delete dead[deathKey(candidate)]
  if (death === undefined || known.toOwn(death.untilMs) <= nowMs) return
  const untilMs = isEndless(death) ? FOREVER_MS : known.toOwn(death.untilMs)
  dead[deathKey(candidate)] = { candidate, untilMs }
}

/** A second more or less comes of the way to the store's clock. */
const isEndless = ({ untilMs, setMs }: SharedMark): boolean => untilMs - setMs > MOST_MS - 1_000

function drawProvider({ providers }: Draft, provider: string, known: Known, nowMs: number): void {
  const share = known.get(PROVIDER + provider)
  if (share === NO_SHARE) {
    delete providers[provider]
    return
  }
  const { generation, marks } = share
  const live = Object.entries(marks).flatMap(([name, { untilMs }]) => (known.toOwn(untilMs) > nowMs ? [name] : []))
  const mark: ProviderMark = {
    generation,
    refused: live.filter((name) => name.startsWith('k:')).map((name) => name.slice(nameOf('').length)),
    blocked: live.includes('blocked'),
    declined: live.includes('declined'),
  }
  // Ids are the user's: one named like a property of every object must still be a property of this one.
  Object.defineProperty(providers, provider, { value: mark, enumerable: true, writable: true, configurable: true })
}
