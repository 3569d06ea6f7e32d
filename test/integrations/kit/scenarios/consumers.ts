import { expect } from 'vitest'
import type { HostDriver } from '../host.ts'
import { inOrder } from '../provider-server.ts'
import type { Line } from '../scenario.ts'
import { textOf } from '../send.ts'
import { onStage } from '../stage.ts'
import { flood, stallMidway } from '../steps.ts'

const TOKENS = 2_048
const CHARS = 16_384

/** More turns of the event loop than a reader in this process needs to take something that has arrived. */
const QUIET_TURNS = 200

/** What the consumer does reaches the source. */
export function consumerLines(driver: HostDriver): readonly Line[] {
  return [
    [
      'a consumer that leaves ends the request',
      () =>
        onStage(driver, still(inOrder(stallMidway({ afterTokens: 2 }))), async ({ host, servers, of, counted }) => {
          let text = ''
          for await (const part of host.stream()) {
            text += part
            if (text.length >= textOf(2).length) break
          }
          const request = await servers[0].arrived(1)
          await request.over
          expect(request.left, 'whether the server saw the client leave').toBe(true)
          expect(text).toBe(textOf(2))
          expect(of('success')).toMatchObject([{ candidate: 'a' }])
          expect(of('attempt')).toHaveLength(1)
          expect(counted()).toEqual([1, 0])
        }),
    ],
    [
      'a slow consumer holds the source back',
      () =>
        onStage(driver, still(inOrder(flood(TOKENS, CHARS))), async ({ host, servers, counted }) => {
          const parts = host.stream()[Symbol.asyncIterator]()
          let chars = 0
          while (chars < CHARS) chars += (await parts.next()).value?.length ?? 0
          const request = await servers[0].arrived(1)
          for (let quiet = 0, seen = 0; quiet < QUIET_TURNS; quiet += 1) {
            await new Promise((resolve) => setImmediate(resolve))
            if (request.tokens !== seen) quiet = 0
            seen = request.tokens
          }
          // What the system's buffers hold is much less than half of it; a reader that runs ahead takes all.
          expect(request.tokens).toBeLessThan(TOKENS / 2)
          await parts.return?.()
          await request.over
          expect(request.left).toBe(true)
          expect(counted()).toEqual([1, 0])
        }),
    ],
  ]
}

const still = <S>(script: S): { readonly a: S; readonly b: S } => ({ a: script, b: script })
