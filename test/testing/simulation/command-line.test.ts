import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { optionsOf } from '../../../simulate/options.mjs'

const MAIN = fileURLToPath(new URL('../../../simulate/main.mjs', import.meta.url))
const TABLES = ['one', 'two', 'three']
const ALLOWED = '--only one|two|three, --seeds 1..1000, --warm 0..86400, --out <folder>'

describe('the command line of the simulator', () => {
  test('has a default for everything', () => {
    const { out, ...rest } = optionsOf([], TABLES)
    expect(rest).toEqual({ only: undefined, seeds: 5, warmSecs: 20 })
    expect(out).toMatch(/simulate.out$/)
  })

  test('takes what it names', () => {
    const args = ['--only', 'two', '--seeds', '1000', '--warm=0', '--out', 'here']
    expect(optionsOf(args, TABLES)).toEqual({ only: 'two', seeds: 1_000, warmSecs: 0, out: 'here' })
  })

  test.each([
    [['--seeds', '0'], '--seeds "0": give a whole number from 1 to 1000'],
    [['--seeds', '1001'], '--seeds "1001": give a whole number from 1 to 1000'],
    [['--seeds', 'abc'], '--seeds "abc": give a whole number from 1 to 1000'],
    [['--seeds', '1.5'], '--seeds "1.5": give a whole number from 1 to 1000'],
    [['--seeds=-1'], '--seeds "-1": give a whole number from 1 to 1000'],
    [['--seeds='], '--seeds "": give a whole number from 1 to 1000'],
    [['--warm', 'abc'], '--warm "abc": give a whole number from 0 to 86400'],
    [['--warm', '1e9'], '--warm "1e9": give a whole number from 0 to 86400'],
    [['--only', 'four'], '--only "four": give one, two or three'],
    [['--only', 'toString'], '--only "toString": give one, two or three'],
    [['--only', 'a\nb'], '--only "a\\nb": give one, two or three'],
    [['--out', ''], '--out "": give a folder'],
  ])('refuses %j', (args, fault) => {
    expect(() => optionsOf(args, TABLES)).toThrow(new TypeError(fault))
  })

  // What Node says of these is its own; what follows is what is allowed, in the same line.
  test.each([
    [['--seeds', '-1'], '--seeds'],
    [['--seeds'], '--seeds'],
    [['--seed', '1'], '--seed'],
    [['-s'], '-s'],
    [['budget'], 'budget'],
  ])('refuses %j, naming it and all that is allowed', (args, name) => {
    expect(() => optionsOf(args, TABLES)).toThrow(new RegExp(`^[^\n]*${name}[^\n]*; give `))
    expect(() => optionsOf(args, TABLES)).toThrow(ALLOWED)
  })

  test('ends with 2 and one line before anything is simulated', async () => {
    const args = [MAIN, '--only', 'toString']
    const { code, stdout, stderr } = await new Promise<{ code: unknown; stdout: string; stderr: string }>((done) => {
      execFile(process.execPath, args, (error, stdout, stderr) => done({ code: error?.code, stdout, stderr }))
    })
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: 'simulate: --only "toString": give brown-out, budget, outage, refusals or scale\n',
    })
  })
})
