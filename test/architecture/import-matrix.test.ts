import { describe, expect, test } from 'vitest'
import { importCycles, importViolations } from './import-rules.ts'
import { parse, shippedFiles } from './source-file.ts'

const files = shippedFiles()

describe('import matrix', () => {
  test('every import of src/ and strategies/ is one its layer may make', () => {
    expect(importViolations(files)).toEqual([])
  })

  test('no two files import each other, directly or through others', () => {
    expect(importCycles(files)).toEqual([])
  })
})

describe('the check itself', () => {
  /** Files that only have to exist, for the planted import to point at. */
  const targets = [
    'src/core/decide.ts',
    'src/wire/read.ts',
    'src/health/channel.ts',
    'src/shell/wait.ts',
    'src/errors.ts',
    'src/heed.ts',
    'src/producers/http.ts',
    'strategies/auth/pause.ts',
    'strategies/backoff/exponential.ts',
  ].map((path) => parse(path, 'export {}'))

  const violations = (path: string, source: string): readonly string[] =>
    importViolations([...targets.filter((target) => target.path !== path), parse(path, source)])

  test.each([
    ['core to shell', 'src/core/planted.ts', "import { wait } from '../shell/wait.ts'"],
    ['core to shell, types', 'src/core/planted.ts', "import type { Wait } from '../shell/wait.ts'"],
    ['core to a package', 'src/core/planted.ts', "import { z } from 'zod/mini'"],
    ['core to wire', 'src/core/planted.ts', "import { readWire } from '../wire/read.ts'"],
    ['wire to health', 'src/wire/planted.ts', "import type { Event } from '../health/channel.ts'"],
    [
      'strategy to core by an inline type',
      'strategies/auth/planted.ts',
      "import { type D } from '../../src/core/decide.ts'",
    ],
    ['wire to zod beside the schema', 'src/wire/read.ts', "import { z } from 'zod/mini'"],
    ['zod in full', 'src/wire/schema.ts', "import { z } from 'zod'"],
    ['producer to core, code', 'src/producers/planted.ts', "import { decide } from '../core/decide.ts'"],
    ['producer to a client', 'src/producers/planted.ts', "import type { Dispatcher } from 'undici'"],
    ['health to shell', 'src/health/planted.ts', "import { wait } from '../shell/wait.ts'"],
    ['shell to the composition root', 'src/shell/planted.ts', "import { heed } from '../heed.ts'"],
    ['shell to a strategy', 'src/shell/planted.ts', "import { pause } from '../../strategies/auth/pause.ts'"],
    ['shell to node', 'src/shell/planted.ts', "import { setTimeout } from 'node:timers/promises'"],
    ['shell to node, dynamic', 'src/shell/planted.ts', "await import('node:timers')"],
    ['a computed import', 'src/shell/planted.ts', 'await import(name)'],
    ['errors to health', 'src/errors.ts', "export * from './health/channel.ts'"],
    ['strategy to core, code', 'strategies/auth/planted.ts', "import { decide } from '../../src/core/decide.ts'"],
    ['strategy to another slot', 'strategies/auth/planted.ts', "import { e } from '../backoff/exponential.ts'"],
    ['strategy to cockatiel', 'strategies/backoff/planted.ts', "import { handleAll } from 'cockatiel'"],
    ['an inline type import', 'src/core/planted.ts', "export type A = import('../errors.ts').A"],
    ['a missing file', 'src/core/planted.ts', "import type { A } from './nowhere.ts'"],
    ['a file of no layer', 'src/utils.ts', 'export {}'],
    ['a slot that does not exist', 'strategies/hedge/planted.ts', 'export {}'],
  ])('%s is refused', (_name, path, source) => {
    expect(violations(path, source)).toHaveLength(1)
  })

  test.each([
    ['core to core', 'src/core/planted.ts', "import { decide } from './decide.ts'"],
    ['strategy to core, types', 'strategies/auth/planted.ts', "import type { D } from '../../src/core/decide.ts'"],
    ['zod in the schema', 'src/wire/schema.ts', "import * as z from 'zod/mini'"],
    ['the composition root to a strategy', 'src/heed.ts', "import { pause } from '../strategies/auth/pause.ts'"],
    ['a breaker to cockatiel', 'strategies/breaker/planted.ts', "import { ConsecutiveBreaker } from 'cockatiel'"],
    ['an import in a comment', 'src/core/planted.ts', "// import { z } from 'zod'\nexport {}"],
  ])('%s is allowed', (_name, path, source) => {
    expect(violations(path, source)).toEqual([])
  })

  test('a cycle is found, unless types alone close it', () => {
    const cycle = (last: string) =>
      importCycles([
        parse('src/core/a.ts', "import { b } from './b.ts'"),
        parse('src/core/b.ts', "import { c } from './c.ts'"),
        parse('src/core/c.ts', last),
      ])
    const found = 'src/core/a.ts -> src/core/b.ts -> src/core/c.ts -> src/core/a.ts'
    expect(cycle("export * from './a.ts'")).toEqual([found])
    expect(cycle("import { type A } from './a.ts'")).toEqual([found])
    expect(cycle("import type { A } from './a.ts'")).toEqual([])
  })
})
