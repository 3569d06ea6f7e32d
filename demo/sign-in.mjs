import { setTimeout as pause } from 'node:timers/promises'

/** How long the prompt stands before it is answered by itself, where nobody can answer it. */
const UNATTENDED_MS = 1_000

/**
 * Waits for somebody to press Enter; goes on by itself after a second where input or output is no terminal.
 *
 * @param {string} provider
 * @param {{ input: NodeJS.ReadStream, output: { isTTY?: boolean }, say(text: string): void }} terminal
 */
export async function promptSignIn(provider, { input, output, say }) {
  if (input.isTTY !== true || output.isTTY !== true) {
    say(`sign in to ${provider} again: done by itself after ${UNATTENDED_MS / 1000} s, as there is no terminal`)
    await pause(UNATTENDED_MS)
    return
  }
  say(`sign in to ${provider} again, then press Enter`)
  await new Promise((answered) => {
    const done = () => {
      input.off('data', done).off('end', done).pause()
      answered(undefined)
    }
    input.on('data', done).on('end', done)
  })
}
