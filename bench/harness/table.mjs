/** Three significant digits, and a comma where it is more than that. @param {number} value */
const digits = (value) => {
  if (value >= 1_000) return Math.round(value).toLocaleString('en')
  return Number(value.toPrecision(3)).toString()
}

const range = ({ median, min, max }) =>
  min === max ? digits(median) : `${digits(median)} (${digits(min)}–${digits(max)})`

const markdown = (head, rows) =>
  [head, head.map((_, index) => (index === 0 ? '---' : '---:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')

/** Whether the median of a line meets its target. */
export const meets = (result, line) => line.ratio.median <= result.target

/** One section: every line of one result. */
export const sectionOf = (result) => {
  if (result.error) return `### ${result.title}\n\nNot measured: ${result.error}`
  if (result.facts) {
    return `### ${result.title}\n\n${markdown(
      ['', 'counted'],
      result.facts.map(({ name, value }) => [name, digits(value)]),
    )}`
  }
  const hasBytes = result.lines.some((line) => line.bytes !== undefined)
  const hasNotes = result.lines.some((line) => line.note !== undefined)
  const head = ['case', result.unit, `× ${result.against}`, ...(hasBytes ? ['bytes'] : []), ...(hasNotes ? [''] : [])]
  const order = ['baseline', 'heed', 'peer']
  const lines = [...result.lines].sort(
    (a, b) => order.indexOf(a.role) - order.indexOf(b.role) || a.cost.median - b.cost.median,
  )
  const cells = lines.map((line) => [
    line.role === 'heed' ? `**${line.name}**` : line.name,
    range(line.cost),
    range(line.ratio),
    ...(hasBytes ? [line.bytes === undefined ? '–' : digits(line.bytes)] : []),
    ...(hasNotes ? [line.note ?? ''] : []),
  ])
  return `### ${result.title}\n\n${markdown(head, cells)}`
}

/** The table of targets: one line per line of heed's that has one, with the peers of the same run beside it. */
export const summaryOf = (results) => {
  const rows = []
  for (const result of results) {
    if (result.target === undefined) continue
    const peers = result.lines
      .filter((line) => line.role === 'peer')
      .sort((a, b) => a.ratio.median - b.ratio.median)
      .slice(0, 4)
      .map((line) => `${line.name} ${digits(line.ratio.median)}`)
    for (const line of result.lines.filter((each) => each.role === 'heed')) {
      const variant = line.name.replace(/^heed,? ?/, '')
      rows.push([
        variant === '' ? result.title : `${result.title} (${variant})`,
        `${result.target} × ${result.against}`,
        range(line.ratio),
        meets(result, line) ? 'met' : '**missed**',
        peers.join(', ') || 'none',
      ])
    }
  }
  return markdown(['what', 'target, at most', 'heed (min–max)', '', 'peers'], rows)
}
