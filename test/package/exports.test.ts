import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { producers } from 'heed/producers'
import { describe, expect, test } from 'vitest'
import { builtFiles, closedSubpaths, exportEntries, namesMatching, specifiers } from '../../scripts/exports.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const files = ['./package.json', ...builtFiles()]

describe('exports', () => {
  test.each(exportEntries())('$subpath reaches built files', ({ targets }) => {
    const names = targets.map((target) => namesMatching(target, files))
    for (const found of names) expect(found).not.toEqual([])
    // The types condition must cover exactly the names that the code covers.
    for (const found of names) expect(found.toSorted()).toEqual(names[0]?.toSorted())
  })

  test('every strategy can be imported', () => {
    const written = readdirSync(join(root, 'strategies'), { recursive: true, encoding: 'utf8' })
      .map((name) => name.replaceAll('\\', '/'))
      // A file beside the slots is shared by strategies, not one of them.
      .filter((name) => /\/.+\.ts$/.test(name))
      .map((name) => `heed/strategies/${name.replace(/\.ts$/, '')}`)
    const reachable = specifiers(files).filter((name) => name.startsWith('heed/strategies/'))
    expect(reachable.toSorted()).toEqual(written.toSorted())
  })

  test('every host and store can be imported, and nothing that it is made of', () => {
    const written = ['integrations', 'stores'].flatMap((part) =>
      readdirSync(join(root, 'src', part))
        .filter((name) => name.endsWith('.ts'))
        .map((name) => `heed/${part}/${name.replace(/\.ts$/, '')}`),
    )
    const reachable = specifiers(files).filter((name) => /^heed\/(integrations|stores)\//.test(name))
    expect(reachable.toSorted()).toEqual(written.toSorted())
  })

  test('every adapter family can be imported, and nothing that they are made of', () => {
    const reachable = specifiers(files).filter((name) => name.startsWith('heed/producers/'))
    const families = [...Object.keys(producers), 'llm'].map((family) => `heed/producers/${family}`)
    expect(reachable.toSorted()).toEqual(families.toSorted())
  })

  test.each(closedSubpaths())('%s is a file, and Node does not find it', (subpath) => {
    expect(files).toContain(`./dist/src/${subpath.slice('./'.length)}.js`)
    expect(() => createRequire(import.meta.url).resolve(`heed/${subpath.slice('./'.length)}`)).toThrow(
      expect.objectContaining({ code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' }),
    )
  })

  test('nothing inside src/ but the named entries can be imported', () => {
    const entries = specifiers(files).filter(
      (name) => !/^heed\/(strategies|producers|integrations|stores)\//.test(name),
    )
    expect(entries.toSorted()).toEqual(['heed', 'heed/conformance', 'heed/fetch', 'heed/producers', 'heed/testing'])
  })
})

describe('the check itself', () => {
  test.each([
    ['./dist/strategies/auth/*.js', ['./dist/strategies/auth/pause.js'], ['pause']],
    ['./dist/strategies/auth/*.js', ['./dist/strategies/overflow/surface.js'], []],
    ['./dist/strategies/auth/*.js', ['./dist/strategies/auth/deep/pause.js'], []],
    ['./dist/strategies/auth/*.js', ['./dist/strategies/auth/pause.js.map'], []],
    ['./dist/src/index.js', ['./dist/src/index.d.ts'], []],
  ])('%s against %s', (target, built, names) => {
    expect(namesMatching(target, built)).toEqual(names)
  })
})
