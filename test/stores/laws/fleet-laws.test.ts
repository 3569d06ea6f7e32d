import { expect } from 'vitest'
import { law } from '../../laws/support/law.ts'
import { driveFleet, type FleetEntry, type FleetRun } from './drive.ts'
import { early, type Hint } from './early.ts'
import { type FleetScenario, fleetScenarios, hostile, prompt, revivals } from './scenario.ts'

const everywhere = fleetScenarios(hostile, true)
const together = fleetScenarios(prompt, false)

const keptTo = (log: readonly FleetEntry[]): boolean =>
  log.some(
    ({ kind, instance, at }) =>
      kind === 'hint' && log.some((o) => o.kind === 'invoked' && o.instance !== instance && o.at > at),
  )

law('4 Floor, among processes: with a store that is up nobody starts before the hint of any has passed', {
  given: together,
  holds: async (given, see) => {
    const run = await driveFleet(given)
    expect(early(run, true)).toEqual([])
    if (keptTo(run.log)) see("kept to another process's hint")
  },
  mustSee: ["kept to another process's hint"],
})

law('4 Floor, among processes: with any network nobody starts before a hint that it knows of has passed', {
  given: everywhere,
  holds: async (given, see) => {
    const run = await driveFleet(given)
    expect(early(run, false)).toEqual([])
    if (early(run, true).length > 0) see('did not know')
    if (keptTo(run.log)) see("kept to another process's hint")
  },
  mustSee: ['did not know', "kept to another process's hint"],
})

law('4 Floor, among processes: a revival that is lost, late or made twice takes back no hint that came after it', {
  given: revivals,
  holds: async (given, see) => {
    const run = await driveFleet(given)
    expect(early(run, false)).toEqual([])
    const isSince = (hint: Hint): boolean =>
      run.log.some((each) => each.kind === 'revived' && each.candidate === hint.candidate && each.at < hint.at)
    if (run.log.some((entry) => entry.kind === 'hint' && isSince(entry))) see('a hint after a revival')
  },
  mustSee: ['a hint after a revival'],
})

/** Attempts at what the instance knows to be blocked, and news that it has not taken in. */
function past({ log }: FleetRun): readonly unknown[] {
  return log.flatMap((entry): readonly unknown[] => {
    if (entry.kind === 'invoked') {
      const mark = entry.known.providers.find(({ provider }) => provider === entry.provider)
      return mark?.blocked || mark?.declined || mark?.refused.includes(entry.credential) ? [entry] : []
    }
    if (entry.kind !== 'told') return []
    return entry.entries.filter(({ group, generation, marks }) => {
      if (!group.startsWith('p:')) return false
      const mark = entry.known.providers.find(({ provider }) => `p:${provider}` === group)
      if (mark === undefined || mark.generation < generation) return true
      return mark.generation === generation && marks['blocked'] !== undefined && !mark.blocked
    })
  })
}

law('6 Auth, among processes: one prompt for all, and nobody reaches a provider that it knows to be blocked', {
  given: together,
  holds: async (given, see) => {
    const run = await driveFleet(given)
    expect(past(run)).toEqual([])
    const prompts = run.log.flatMap((entry) => (entry.kind === 'prompt' ? [entry] : []))
    const asked = prompts.map(({ event }) => `${event.provider} ${event.generation}`)
    expect(asked).toEqual([...new Set(asked)])
    if (prompts.length > 0) see('prompted')
    if (new Set(prompts.map(({ event }) => event.generation)).size > 1) see('prompted again')
  },
  mustSee: ['prompted', 'prompted again'],
})

law('6 Auth, among processes: with any network no prompt is lost, and all know in the end', {
  given: everywhere,
  holds: async (given, see) => {
    const run = await driveFleet(given)
    expect(past(run)).toEqual([])
    const [first, ...others] = run.snapshots.map(({ providers }) =>
      providers
        .map(({ refused, ...mark }) => ({ ...mark, refused: refused.toSorted() }))
        .filter(
          ({ generation, refused, declined, blocked }) => generation > 0 || refused.length > 0 || declined || blocked,
        )
        .toSorted((one, other) => one.provider.localeCompare(other.provider)),
    )
    for (const other of others) expect(other).toEqual(first)
    for (const { provider, blocked, declined } of first ?? []) {
      if (!blocked || declined) continue
      see('blocked in the end')
      expect(run.log.some((entry) => entry.kind === 'prompt' && entry.event.provider === provider)).toBe(true)
    }
  },
  mustSee: ['blocked in the end'],
})

law('13 Isolation, among processes: each recorded decision, replayed alone, is equal', {
  given: everywhere,
  holds: async (given, see) => {
    const { log } = await driveFleet(given)
    const replayed = log.filter(({ kind }) => kind === 'replayed')
    expect(replayed.filter((entry) => entry.kind === 'replayed' && !entry.equal)).toEqual([])
    if (replayed.length > 0) see('decided')
  },
  mustSee: ['decided'],
})

law('16 Chain-dead is honest, among processes', {
  given: everywhere,
  holds: async (given, see) => {
    const { log, outcomes } = await driveFleet(given)
    const alarms = log.flatMap((entry) => (entry.kind === 'chain_dead' ? [entry] : []))
    for (const { known } of alarms) {
      const dead = new Set(known.dead.map(({ candidate }) => candidate))
      if (dead.size > 0) see('dead to all calls')
    }
    const honest = outcomes.filter(({ outcome }) => isChainDead(given, outcome))
    expect(alarms.length).toBeLessThanOrEqual(honest.length)
    if (alarms.length > 0) see('alarmed')
  },
  mustSee: ['alarmed', 'dead to all calls'],
})

/** Whether a call may have found that every candidate is permanently refused: it says so, and saw nothing to the contrary. */
function isChainDead(
  { candidates, permanentFor }: FleetScenario,
  outcome: FleetRun['outcomes'][number]['outcome'],
): boolean {
  if (outcome.status === 'completed' || outcome.class !== 'permanent') return false
  const refused = new Set(outcome.attempts.filter((each) => each.class === 'permanent').map((each) => each.candidate))
  return permanentFor > 0 || candidates.every(({ id }) => refused.has(id))
}

law('17 Amplification, among processes: each pays for its own repeats', {
  given: everywhere,
  holds: async (given, see) => {
    const { log } = await driveFleet(given)
    for (const [instance] of given.instances.entries()) {
      for (const { id } of given.candidates) {
        const of = (kind: FleetEntry['kind']): number =>
          log.filter(
            (each) => each.instance === instance && each.kind === kind && 'candidate' in each && each.candidate === id,
          ).length
        expect(of('repeat')).toBeLessThanOrEqual(3 + 0.1 * of('attempted') + 1)
        if (of('repeat') > 0) see('repeated')
      }
    }
  },
  mustSee: ['repeated'],
})
