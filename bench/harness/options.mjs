import { parseArgs } from 'node:util'

/** What a benchmark is asked on the command line: `--quick`, `--json`, `--list`, `--only <name>` (more than once) and `--seed <number>`. */
export const readOptions = () =>
  parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true },
      seed: { type: 'string', default: '1' },
    },
  }).values
