import { fetchWithClass } from 'heed/fetch'
import { heedMcp } from 'heed/integrations/mcp'
import { mcp } from 'heed/producers/mcp'
import { constant } from 'heed/strategies/backoff/constant'
import { afterEach, describe, expect, test } from 'vitest'
import { answers, refusal, serves, statedRefusal } from './steps.ts'
import { type Door, startToolServer, type ToolServer } from './tool-server.ts'

const running: ToolServer[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()))
})

/** The attempts at a server that answers its first call so, and at a replica, by a transport with this `fetch`. */
async function attemptsBy(fetch: typeof globalThis.fetch, door: Door) {
  const start = async (doors: readonly (Door | undefined)[]): Promise<ToolServer> => {
    const server = await startToolServer('http', [serves('well')], doors, fetch)
    running.push(server)
    return server
  }
  const [{ client: one }, { client: two }] = [await start([door, undefined]), await start([])]
  const candidates = [
    { id: 'one', client: one },
    { id: 'two', client: two },
  ]
  const { attempts } = await heedMcp({ candidates, backoff: constant(0) }).settleTool({ name: 'charge' })
  return attempts.map(({ candidate, class: stated, retry_after_secs: secs }) => [candidate, stated, secs])
}

const classed = fetchWithClass({ producer: mcp })
const busy: Door = (response) => response.writeHead(429, { 'retry-after': '70' }).end()

describe('over HTTP', () => {
  test.each([fetch, classed])('a forgotten session is asked for again, whatever the answer says', async (by) => {
    expect(await attemptsBy(by, answers(404))).toEqual([
      ['one', 'transient', undefined],
      ['one', undefined, undefined],
    ])
  })

  test('a class in the body itself stands above that', async () => {
    expect(await attemptsBy(classed, answers(404, '{"class":"permanent"}'))).toEqual([
      ['one', 'permanent', undefined],
      ['two', undefined, undefined],
    ])
  })

  test('the transport keeps the hint of a refusal where it has the fetch of heed', async () => {
    expect(await attemptsBy(classed, busy)).toEqual([
      ['one', 'transient', 70],
      ['two', undefined, undefined],
    ])
  })

  test('and loses it with its own', async () => {
    expect(await attemptsBy(fetch, busy)).toEqual([
      ['one', 'transient', undefined],
      ['one', undefined, undefined],
    ])
  })

  test.each([500, 502, 504])('after %i the tool may have run, with the one as with the other', async (status) => {
    const door = answers(status, refusal(-32603, 'Internal error'))
    expect(await attemptsBy(classed, door)).toEqual(await attemptsBy(fetch, door))
    expect(await attemptsBy(classed, door)).toHaveLength(1)
  })

  test.each([
    ['a forgotten session', answers(404, refusal(-32001, 'Session not found'))],
    ['a session forgotten without a word', answers(404)],
    ['a 404 that states its class', answers(404, statedRefusal('permanent'))],
    ['a refused request', answers(403, 'Forbidden')],
  ])('%s means the same to both', async (_name, door) => {
    expect(await attemptsBy(classed, door)).toEqual(await attemptsBy(fetch, door))
  })
})
