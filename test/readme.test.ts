import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { heed } from 'heed'
import { producers } from 'heed/producers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { families } from '../src/producers/families.ts'
import { fencesOf } from './readme/fences.ts'
import { recordLog } from './readme/recorded-log.ts'
import { shownIn } from './readme/shown.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = join(root, 'test', '.readme')
const page = join(root, 'README.md')

const fences = fencesOf(readFileSync(page, 'utf8'))
const fileOf = (line: number): string => join(folder, `line-${line}.ts`)

describe('README.md', () => {
  beforeAll(() => {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    // A snippet may leave names unused; everything else is as strict as the tests are.
    const options = { noUnusedLocals: false, noUnusedParameters: false }
    const config = { extends: '../../tsconfig.json', compilerOptions: options, include: ['*.ts'], exclude: [] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    for (const { line, code } of fences) writeFileSync(fileOf(line), `${code}\nexport {}\n`)
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('shows TypeScript', () => {
    expect(fences.length).toBeGreaterThan(0)
  })

  test('every snippet passes the compiler', () => {
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
    expect(stdout).toBe('')
  })

  test.each(fences.filter(({ run }) => run))(
    'the snippet in line $line prints what it shows',
    async ({ line, code }) => {
      expect(await recordLog(() => import(/* @vite-ignore */ fileOf(line)))).toEqual(shownIn(code))
    },
  )
})

describe('what it says of heed', () => {
  const text = readFileSync(page, 'utf8')

  test('the message of an option that is refused', () => {
    const refused = (): unknown => heed({ candidates: [{ id: 'a', provider: 'p' }], attempts: { perTarget: 0 } })
    expect(refused).toThrow(TypeError)
    expect(refused).toThrow(/`(heed: attempts\.perTarget: .*)`/.exec(text)?.[1])
  })

  test('how many adapters there are, and how many families are told apart', () => {
    const named = ['openai', 'anthropic', 'gemini', 'bedrock']
    expect(families.map(({ family }) => family.id)).toEqual(expect.arrayContaining(named))
    expect(text).toContain(`OpenAI, Anthropic, Gemini, Bedrock and ${families.length - named.length} more families`)
    expect(text).toContain(`holds all ${Object.keys(producers).length} by id`)
  })
})

const examples = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.ts'))

describe('examples', () => {
  test.each(examples)('%s prints what it shows', async (name) => {
    const file = join(root, 'examples', name)
    const shown = shownIn(readFileSync(file, 'utf8'))
    expect(shown.length).toBeGreaterThan(0)
    expect(await recordLog(() => import(/* @vite-ignore */ file))).toEqual(shown)
  })
})

describe('the reader of fences', () => {
  test('keeps the lines, joins what is continued and leaves other languages alone', () => {
    const markdown = ['# t', '```ts', 'const a = 1', '```', '```sh', 'ls', '```', '```ts continued no-run', 'a', '```']
    expect(fencesOf(markdown.join('\n'))).toEqual([
      { line: 2, code: 'const a = 1', run: true },
      { line: 8, code: 'const a = 1\na', run: false },
    ])
  })

  test('refuses a fence that is never closed', () => {
    expect(() => fencesOf('```ts\nconst a = 1')).toThrow('line 1')
  })
})

test('what is shown is read in order, beside the code, below it and empty', () => {
  expect(shownIn("log('a') // => a\n// => b  \n//  => no\n  // =>\nconst c = '// no => '")).toEqual(['a', 'b', ''])
})
