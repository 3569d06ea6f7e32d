import { row as decide } from './decide.mjs'
import { row as facts } from './facts.mjs'
import { row as failOnce } from './fail-once.mjs'
import { row as imports } from './import.mjs'
import { row as permanent } from './permanent.mjs'
import { row as readClassification } from './read-classification.mjs'
import { row as sharedSignal } from './shared-signal.mjs'
import { generatorRow, iterableRow, webRow } from './streaming.mjs'
import { row as success } from './success.mjs'
import { row as successListener } from './success-listener.mjs'
import { row as successSignal } from './success-signal.mjs'
import { row as successStore } from './success-store.mjs'
import { row as waiting } from './waiting.mjs'

export const rows = [
  success,
  successSignal,
  successListener,
  successStore,
  failOnce,
  permanent,
  decide,
  readClassification,
  generatorRow,
  iterableRow,
  webRow,
  waiting,
  sharedSignal,
  imports,
  facts,
]

/** @param {string} id */
export const rowNamed = (id) => {
  const found = rows.find((row) => row.id === id)
  if (found === undefined) throw new Error(`no row ${id}; the rows are ${rows.map((row) => row.id).join(', ')}`)
  return found
}

/** The batches of a group's cases, and of its row's baselines. @param {string} id @param {readonly string[]} group */
export const preparedGroup = async (id, group) => {
  const row = rowNamed(id)
  const batches = {}
  for (const name of [...row.baselines, ...group]) batches[name] = await row.prepare(name)
  return batches
}
