/** A fenced block of TypeScript in a page. */
export type Fence = { readonly line: number; readonly code: string; readonly run: boolean }

/**
 * The TypeScript fences of a page, in order. The words after `ts` on the opening line mean:
 * `continued` - this one goes on where the fence before it ended, so it is run as both together;
 * `no-run` - checked by the compiler, not run.
 */
export function fencesOf(markdown: string): readonly Fence[] {
  const fences: Fence[] = []
  let open: { readonly line: number; readonly words: readonly string[]; readonly code: string[] } | undefined
  for (const [index, text] of markdown.split(/\r?\n/).entries()) {
    if (open === undefined) {
      const info = /^```(ts|typescript)\b(.*)$/.exec(text)
      if (info) open = { line: index + 1, words: (info[2] ?? '').trim().split(/\s+/), code: [] }
    } else if (text.startsWith('```')) {
      const before = open.words.includes('continued') ? fences.at(-1)?.code : undefined
      const code = [...(before === undefined ? [] : [before]), ...open.code].join('\n')
      fences.push({ line: open.line, code, run: !open.words.includes('no-run') })
      open = undefined
    } else open.code.push(text)
  }
  if (open) throw new Error(`the fence opened in line ${open.line} is never closed`)
  return fences
}
