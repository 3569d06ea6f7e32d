import { readFileSync } from 'node:fs'

const load = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))

/** Refusals as providers send them, with the contract's fields added: status, headers and body by name. */
export const refusals = load('./refusals.json')

/** Failures that arrive as an item of a stream, by name. */
export const streamFailures = load('./stream-failures.json')
