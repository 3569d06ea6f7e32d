/** Load and goodput over time as an SVG, written by hand: what is drawn twice a year needs no dependency. */
const WIDTH = 980
const HEIGHT = 260
const LEFT = 60
const RIGHT = 310
const TOP = 50
const GAP = 60
const COLOURS = ['#888888', '#d62728', '#ff7f0e', '#9467bd', '#2ca02c', '#17becf', '#1f4fd6']

/**
 * @typedef {{ readonly name: string, readonly load: readonly number[], readonly goodput: readonly number[] }} Line
 *   Values by second.
 */

/**
 * @param {{ title: string, lines: readonly Line[], fromSec: number, untilSec: number }} drawing when the trouble is
 * @returns {string} the text of an SVG file
 */
export function plot({ title, lines, fromSec, untilSec }) {
  const length = Math.max(...lines.map(({ goodput }) => goodput.length))
  const panels = [
    panel({
      at: 0,
      label: 'load: attempts, as a multiple of the calls offered',
      most: 5,
      ticks: [0, 1, 2, 3, 4],
      unit: '',
      what: 'load',
    }),
    panel({
      at: 1,
      label: 'goodput: share of the calls that started in a second and were served',
      most: 1.05,
      ticks: [0, 0.5, 0.95],
      unit: '%',
      what: 'goodput',
    }),
  ]
  const height = TOP + 2 * (HEIGHT + GAP)
  const legend = lines.map(
    ({ name }, index) =>
      `<rect x="${WIDTH - RIGHT + 15}" y="${TOP + index * 22}" width="14" height="4" fill="${COLOURS[index]}"/>` +
      `<text x="${WIDTH - RIGHT + 35}" y="${TOP + index * 22 + 6}">${escaped(name)}</text>`,
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="11">`,
    `<rect width="${WIDTH}" height="${height}" fill="white"/>`,
    `<text x="${LEFT}" y="24" font-size="15">${escaped(title)}</text>`,
    ...panels.flat(),
    ...legend,
    '</svg>\n',
  ].join('\n')

  /** @param {{ at: number, label: string, most: number, ticks: readonly number[], unit: string, what: 'load' | 'goodput' }} one */
  function panel({ at, label, most, ticks, unit, what }) {
    const bottom = TOP + HEIGHT + at * (HEIGHT + GAP)
    const x = (/** @type {number} */ sec) => (LEFT + (sec / length) * (WIDTH - LEFT - RIGHT)).toFixed(1)
    const y = (/** @type {number} */ value) => (bottom - (Math.min(value, most) / most) * HEIGHT).toFixed(1)
    const end = WIDTH - RIGHT
    const seconds = Array.from({ length: Math.floor(length / 30) + 1 }, (_, index) => index * 30)
    return [
      `<rect x="${x(fromSec)}" y="${bottom - HEIGHT}" width="${Number(x(untilSec)) - Number(x(fromSec))}" height="${HEIGHT}" fill="#f4e3c1"/>`,
      `<text x="${LEFT}" y="${bottom - HEIGHT - 8}">${label}</text>`,
      ...ticks.map(
        (tick) =>
          `<path d="M${LEFT} ${y(tick)}H${end}" stroke="#dddddd"/>` +
          `<text x="${LEFT - 8}" y="${Number(y(tick)) + 4}" text-anchor="end">${unit === '%' ? `${Math.round(tick * 100)} %` : tick}</text>`,
      ),
      ...seconds.map((sec) => `<text x="${x(sec)}" y="${bottom + 16}" text-anchor="middle">${sec - fromSec} s</text>`),
      ...lines.map(
        (line, index) =>
          `<polyline fill="none" stroke="${COLOURS[index]}" stroke-width="1.5" points="${line[what]
            .map((value, sec) => `${x(sec + 0.5)},${y(value)}`)
            .join(' ')}"/>`,
      ),
    ]
  }
}

/** @param {string} text */
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
