import { inFreshProcess, TIMING } from '../../harness/children.mjs'
import { spread } from '../../harness/spread.mjs'

/** They mostly wait. More at a time would make the first call of each slow. */
const AT_ONCE = 2

/**
 * Plays every scenario with every subject, each in a process of its own.
 * @param {readonly string[]} ids @param {(line: string) => void} tell
 */
export const behaviours = async (ids, tell) => {
  const results = new Map()
  const waiting = [...ids]
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      try {
        results.set(id, await inFreshProcess('peer-behaviour.mjs', { id }, []))
      } catch (error) {
        // The others are worth having; the run as a whole has failed.
        results.set(id, { id, title: id, host: 'not measured', packages: [], setting: '', error: String(error) })
      }
      tell(id)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return ids.map((id) => results.get(id))
}

const FULL = { processes: 2, rounds: 25, warmMs: 300 }
const QUICK = { processes: 1, rounds: 9, warmMs: 150 }

/** Times the subjects of each host beside its bare call, one process at a time; answers ratios by subject. */
export const overheadsOf = async (described, { quick, seed }, tell) => {
  const { processes, ...rounds } = quick ? QUICK : FULL
  const ratios = {}
  for (const host of new Set(described.map((each) => each.host))) {
    const ids = described.filter((each) => each.host === host && !each.error).map(({ id }) => id)
    if (ids.length === 0) continue
    const runs = []
    for (let index = 0; index < processes; index++) {
      runs.push(await inFreshProcess('peer-overhead.mjs', { ids, seed: seed + index, ...rounds }, TIMING))
    }
    for (const id of ids) {
      const of = (kind) => runs.map((run) => run[id][kind]).filter((value) => value !== undefined)
      const kinds = ['signal', 'plain', 'failover'].filter((kind) => of(kind).length > 0)
      ratios[id] = Object.fromEntries(kinds.map((kind) => [kind, spread(of(kind))]))
    }
    tell(`overhead in ${host}`)
  }
  return ratios
}
