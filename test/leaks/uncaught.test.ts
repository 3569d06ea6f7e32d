import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { bundledCopy } from '../laws/bundled-copy.ts'

const PROGRAM = `
const { heed } = ${bundledCopy}
const refused = Object.assign(new Error('no credit on key sk-secret'), { class: 'permanent', body: 'sk-secret' })
await heed({ candidates: [{ id: 'one', provider: 'acme' }] }).execute(() => { throw refused })
`

test('an error that nobody catches ends the process and prints nothing of what a producer said', () => {
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module'], { input: PROGRAM, encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stderr).toContain('HeedError: heed:')
  expect(stderr).not.toContain('credit')
  expect(stderr).not.toContain('sk-secret')
})
