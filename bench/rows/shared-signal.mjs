import { inFreshProcess } from '../harness/children.mjs'
import { spread } from '../harness/spread.mjs'

const ALL = [1_000, 10_000, 100_000]

/** A listener per call is quadratic: those cases would need minutes at 100,000. */
const cases = [
  { subject: 'heed', sizes: ALL, full: 3, quick: 1 },
  { subject: 'retry loop by hand', sizes: ALL.slice(0, 2), full: 1, quick: 1 },
  { subject: 'p-retry', sizes: ALL.slice(0, 2), full: 1, quick: 0 },
]

const whole = ({ startUs, abortUs, wakeUs }) => startUs + Math.max(abortUs, wakeUs)

export const row = {
  id: 'shared-signal',
  title: 'waiting calls that share one `AbortSignal`',
  run: async ({ quick, seed }) => {
    const lines = []
    for (const { subject, sizes, ...processes } of cases) {
      const runs = []
      for (let index = 0; index < (quick ? processes.quick : processes.full); index++) {
        runs.push(await inFreshProcess('shared-signal.mjs', { subject, sizes, seed }, ['--expose-gc']))
      }
      for (const size of runs.length === 0 ? [] : sizes) {
        const part = (name) => spread(runs.map((run) => run[size][name])).median.toFixed(1)
        lines.push({
          name: `${subject}, ${size.toLocaleString('en')} calls`,
          role: subject === 'heed' ? (size === 100_000 ? 'heed' : 'baseline') : 'peer',
          cost: spread(runs.map((run) => whole(run[size]))),
          ratio: spread(runs.map((run) => whole(run[size]) / whole(run[1_000]))),
          note: `start ${part('startUs')}, then abort ${part('abortUs')} or wake ${part('wakeUs')}`,
        })
      }
    }
    return [
      {
        id: 'shared-signal',
        title: '100,000 waiting calls that share one `AbortSignal`: start and settle',
        unit: 'µs/call',
        against: 'itself at 1,000 calls',
        target: 1,
        lines,
      },
    ]
  },
}
