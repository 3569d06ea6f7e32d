import { scenarios } from '../scenarios/index.mjs'

const markdown = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const groups = [
  ['Outages: who is served', ['outage', 'errorFirst']],
  ['Streams that break, and callers who abort', ['cut', 'errorLate', 'abortInWait', 'abortInStream']],
  ['`Retry-After: 70`, and a refused key', ['retryAfter', 'refusedKey']],
]

const whoIs = ({ host, title }) => [host, title]

/** One table of behaviour; a dash where a subject asks one provider only. */
const behaviourTable = (subjects, names) => {
  const columns = names.flatMap((name) => scenarios[name].columns.map((column) => ({ name, ...column })))
  const cell = (subject, { name, needsTwo, cell: show }) => {
    if (subject.error) return 'not measured'
    return needsTwo && subject.onlyOne ? '–¹' : show(subject.results[name])
  }
  return markdown(
    ['host', 'subject', ...columns.map(({ title }) => title)],
    subjects.map((subject) => [...whoIs(subject), ...columns.map((column) => cell(subject, column))]),
  )
}

const digits = (value) => (value < 10 ? value.toFixed(2) : value.toFixed(1))
const range = ({ min, max }) => (min === max ? digits(min) : `${digits(min)}–${digits(max)}`)

const overheadTable = (subjects, ratios) =>
  markdown(
    ['host', 'subject', 'success, × the bare call', 'the same without a signal', 'failover, × the bare call'],
    subjects
      .filter(({ id }) => ratios[id] && id !== 'no-retry')
      .map((subject) => {
        const { signal, plain, failover } = ratios[subject.id]
        const none = subject.onlyOne ? '–¹' : '–²'
        return [...whoIs(subject), range(signal), range(plain), failover ? range(failover) : none]
      }),
  )

const setUp = (subjects, versions) =>
  markdown(
    ['host', 'subject', 'set up', 'versions'],
    subjects.map((subject) => [
      ...whoIs(subject),
      subject.setting,
      subject.packages.map((name) => `${name} ${versions[name]}`).join(', '),
    ]),
  )

/** The whole report. */
export const reportOf = ({ subjects, ratios, versions, node, cpu, quick, tookSecs }) => {
  const sections = groups.map(([title, names]) => {
    const played = names.map((name) => `${scenarios[name].title}.`).join(' ')
    return `### ${title}\n\n${played}\n\n${behaviourTable(subjects, names)}`
  })
  return [
    ...sections,
    '¹ It asks one provider only. ² It waits before it falls back.',
    `### Overhead per call\n\nThe host's call over answers from memory, against the host's call with no retry in the same process: \
processor time in interleaved rounds, ${quick ? 'one process' : 'both of two processes'}. \
Every call has a signal of its own, but in the column that says so. In a failover the primary is out of credit.\n\n${overheadTable(subjects, ratios)}`,
    `### Who was measured\n\n${setUp(subjects, versions)}`,
    `Node ${node}, ${cpu}; real HTTP on loopback ports, one run of each scenario: counts repeat, times are of this run. ${tookSecs} s.`,
  ].join('\n\n')
}
