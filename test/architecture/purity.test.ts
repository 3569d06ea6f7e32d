import { describe, expect, test } from 'vitest'
import { parse, type SourceFile, shippedFiles } from './source-file.ts'

/** What makes a run depend on more than its arguments. */
const impure = [
  'Date',
  'Math.random',
  'clearInterval',
  'clearTimeout',
  'crypto',
  'performance',
  'process',
  'queueMicrotask',
  'requestAnimationFrame',
  'setImmediate',
  'setInterval',
  'setTimeout',
]

const impureNames = (file: SourceFile): readonly string[] => impure.filter((name) => file.names.has(name))
const impureFiles = (files: readonly SourceFile[]): readonly string[] =>
  files.filter((file) => impureNames(file).length > 0).map((file) => `${file.path}: ${impureNames(file).join(', ')}`)

describe('purity', () => {
  const files = shippedFiles()

  test('core and the strategies read no clock, no timer and no randomness', () => {
    expect(impureFiles(files.filter(({ path }) => /^(src\/core|strategies)\//.test(path)))).toEqual([])
  })

  test('one file of src/ touches the globals', () => {
    const inside = files.filter(({ path }) => path.startsWith('src/') && !path.startsWith('src/testing/'))
    expect(impureFiles(inside.filter(({ path }) => path !== 'src/shell/environment.ts'))).toEqual([])
  })

  test('the clock and the randomness are where the layout says', () => {
    const environment = files.find(({ path }) => path === 'src/shell/environment.ts')
    expect(environment && impureNames(environment)).toEqual(expect.arrayContaining(['Math.random', 'setTimeout']))
  })

  test('no file is longer than 200 lines', () => {
    expect(files.filter(({ lines }) => lines > 200).map(({ path, lines }) => `${path}: ${lines}`)).toEqual([])
  })
})

describe('the check itself', () => {
  test.each([
    ['const now = Date.now()', ['Date']],
    ["const now = globalThis['Date'].now()", ['Date']],
    ['const r = Math.random()', ['Math.random']],
    ["const r = Math['random']()", ['Math.random']],
    ['const r = globalThis.Math.random()', ['Math.random']],
    ['const later = setTimeout', ['setTimeout']],
    ['globalThis.setTimeout(() => {}, 1)', ['setTimeout']],
    ['const clock = { setTimeout }', ['setTimeout']],
    ['type Now = { at: Date }', ['Date']],
  ])('%s is seen', (source, names) => {
    expect(impureNames(parse('planted.ts', source))).toEqual(names)
  })

  test.each([
    '// Date.now() would make this impure\nexport {}',
    "export const reason = 'no Date, no process'",
    'export const updated = random()',
    'export interface Clock { setTimeout(callback: () => void): unknown; readonly Date: number }',
    'clock.setTimeout(() => {}, 1)',
    'export const fake = { setTimeout: () => {} }',
  ])('%s is not', (source) => {
    expect(impureNames(parse('planted.ts', source))).toEqual([])
  })
})
