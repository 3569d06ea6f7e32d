import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { promptSignIn } from '../../demo/sign-in.mjs'

const terminal = () => Object.assign(new PassThrough(), { isTTY: true })

test('on a terminal, Enter answers the prompt, and the input is let go', async () => {
  const input = terminal()
  const said: string[] = []
  const say = (text: string) => void said.push(text)
  const prompt = promptSignIn('anthropic', { input: input as never, output: { isTTY: true }, say })
  expect(said).toEqual(['sign in to anthropic again, then press Enter'])
  input.write('\n')
  await prompt
  expect(input.isPaused()).toBe(true)
  expect([input.listenerCount('data'), input.listenerCount('end')]).toEqual([0, 0])
})

test('the end of the input answers it too', async () => {
  const input = terminal()
  const prompt = promptSignIn('anthropic', { input: input as never, output: { isTTY: true }, say: () => {} })
  input.end()
  await prompt
})
