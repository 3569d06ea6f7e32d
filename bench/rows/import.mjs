import { fileURLToPath, pathToFileURL } from 'node:url'
import { pathOfHeed } from '../harness/built-heed.mjs'
import { bundleSize } from '../harness/bundle-size.mjs'
import { inFreshProcess } from '../harness/children.mjs'
import { spread } from '../harness/spread.mjs'

const TARGET_BYTES = 16_000

const peers = ['cockatiel', 'p-retry', 'async-retry', 'exponential-backoff', 'opossum', 'ai-fallback']
const heavyPeers = ['ai-retry/language-model', 'effect']

const single = (bytes) => ({ median: bytes, min: bytes, max: bytes })

const importMs = async (url, processes) => {
  const ms = []
  for (let index = 0; index < processes; index++) ms.push((await inFreshProcess('import-time.mjs', { url }, [])).ms)
  return spread(ms)
}

export const row = {
  id: 'import',
  title: '`import { heed }`',
  run: async ({ quick }) => {
    const processes = quick ? 5 : 15
    const timed = [
      { name: 'node:events', role: 'baseline', cost: await importMs('node:events', processes) },
      { name: 'heed', role: 'heed', cost: await importMs(pathToFileURL(pathOfHeed()).href, processes) },
    ]
    const root = fileURLToPath(new URL('../..', import.meta.url))
    const sizes = [
      { name: 'heed', role: 'heed', ...(await bundleSize(`export { heed } from 'heed'`, 'neutral', root)) },
    ]
    for (const name of [...peers, ...(quick ? [] : heavyPeers)]) {
      timed.push({ name, role: 'peer', cost: await importMs(import.meta.resolve(name), processes) })
      sizes.push({ name, role: 'peer', ...(await bundleSize(`export * from '${name}'`, 'node')) })
    }
    const base = timed[0].cost.median
    return [
      {
        id: 'import-size',
        title: '`import { heed }`: bytes, minified and gzipped with its dependencies',
        unit: 'bytes',
        against: `${TARGET_BYTES.toLocaleString('en')} bytes`,
        target: 1,
        lines: sizes.map(({ name, role, minified, gzipped }) => ({
          name,
          role,
          cost: single(gzipped),
          ratio: single(gzipped / TARGET_BYTES),
          note: `${minified.toLocaleString('en')} minified`,
        })),
      },
      {
        id: 'import-time',
        title: '`import` in a fresh process',
        unit: 'ms',
        against: 'node:events',
        lines: timed.map((line) => ({
          ...line,
          ratio: { median: line.cost.median / base, min: line.cost.min / base, max: line.cost.max / base },
        })),
      },
    ]
  },
}
