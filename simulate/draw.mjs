import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { behaviours } from './behaviours.mjs'
import { plot } from './plot.mjs'
import { brownOut, OFFERED_PER_SEC } from './scenarios.mjs'

/**
 * Draws the brown-out, a file for each number of clients.
 * @param {{ readonly folder: string, readonly seed: number, readonly warmSecs: number }} how
 * @returns {readonly string[]} the files
 */
export function draw({ folder, seed, warmSecs }) {
  mkdirSync(folder, { recursive: true })
  return [1, 20, 200].map((clients) => {
    const runs = behaviours.map((behaviour) => brownOut({ behaviour, clients, seed, warmSecs }))
    const { fromSec, untilSec } = /** @type {(typeof runs)[number]} */ (runs[0])
    const lines = runs.map(({ result: { name, seconds } }) => {
      // What comes after the last start is calls that settle.
      const offered = [...seconds.started].slice(0, seconds.started.findLastIndex((started) => started > 0) + 1)
      return {
        name,
        load: offered.map((_, sec) => (seconds.attempts[sec] ?? 0) / OFFERED_PER_SEC),
        goodput: offered.map((started, sec) => (seconds.served[sec] ?? 0) / started),
      }
    })
    const title = `10 s at half capacity, 80 % load, ${clients === 1 ? '1 client' : `${clients} clients`} (seed ${seed})`
    const file = join(folder, `brown-out-${clients}.svg`)
    writeFileSync(file, plot({ title, lines, fromSec, untilSec }))
    return file
  })
}
