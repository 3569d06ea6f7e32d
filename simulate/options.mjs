import { join } from 'node:path'
import { parseArgs } from 'node:util'

// Enough for any median, and few enough to come to an end.
const MOST_SEEDS = 1_000
// A day of calm: budgets fill in minutes.
const MOST_WARM_SECS = 86_400

/**
 * What the simulator is asked on the command line.
 * @param {readonly string[]} args what follows the name of the script
 * @param {readonly string[]} tables the names of the tables that there are
 * @returns {{ readonly only: string | undefined, readonly seeds: number, readonly warmSecs: number, readonly out: string }}
 * @throws TypeError saying in one line what is wrong and what is allowed
 */
export function optionsOf(args, tables) {
  const { only, seeds, warm, out } = valuesOf(args, tables)
  if (only !== undefined && !tables.includes(only)) {
    throw new TypeError(`--only ${JSON.stringify(only)}: give ${tables.slice(0, -1).join(', ')} or ${tables.at(-1)}`)
  }
  // It would be found out when all tables are made.
  if (out === '') throw new TypeError('--out "": give a folder')
  return {
    only,
    seeds: wholeOf('seeds', seeds, 1, MOST_SEEDS),
    warmSecs: wholeOf('warm', warm, 0, MOST_WARM_SECS),
    out,
  }
}

/**
 * @param {readonly string[]} args
 * @param {readonly string[]} tables
 */
function valuesOf(args, tables) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: 'string' },
        seeds: { type: 'string', default: '5' },
        warm: { type: 'string', default: '20' },
        out: { type: 'string', default: join(import.meta.dirname, 'out') },
      },
    }).values
  } catch (error) {
    // Node's advice on spelling follows in further lines.
    const fault = error.message.split('\n')[0].replace(/\.$/, '')
    const allowed = `--only ${tables.join('|')}, --seeds 1..${MOST_SEEDS}, --warm 0..${MOST_WARM_SECS}, --out <folder>`
    throw new TypeError(`${fault}; give ${allowed}`)
  }
}

/**
 * @param {string} name
 * @param {string} value
 * @param {number} least
 * @param {number} most
 */
function wholeOf(name, value, least, most) {
  // Number() would take '', '1e2' and '0x5' too.
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN
  if (number >= least && number <= most) return number
  throw new TypeError(`--${name} ${JSON.stringify(value)}: give a whole number from ${least} to ${most}`)
}
