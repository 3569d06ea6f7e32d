import { expect, test } from 'vitest'
import { plot } from '../../../simulate/plot.mjs'

const line = (name: string, goodput: readonly number[], load: readonly number[] = goodput) => ({ name, goodput, load })

test('draws a line per behaviour in each panel, inside the picture, and names each', () => {
  const text = plot({
    title: 'a < b & c',
    lines: [line('one', [1, 0.5, 0, 1]), line('two', [0, 0, 0, 0], [9, 9, 9, 9])],
    fromSec: 1,
    untilSec: 2,
  })
  const [, width = 0, height = 0] = (/viewBox="0 0 (\d+) (\d+)"/.exec(text) ?? []).map(Number)
  const points = [...text.matchAll(/ points="([^"]*)"/g)].map(([, list = '']) =>
    list.split(' ').map((point) => point.split(',').map(Number)),
  )
  expect(points.map((each) => each.length)).toEqual([4, 4, 4, 4])
  for (const [x = -1, y = -1] of points.flat()) {
    expect(x > 0 && x < width && y > 0 && y < height).toBe(true)
  }
  expect(text).toContain('>a &lt; b &amp; c</text>')
  expect(text).toContain('>one</text>')
  expect(text).toContain('>two</text>')
})
