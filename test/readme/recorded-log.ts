import { format } from 'node:util'
import { vi } from 'vitest'

/** The lines that a module prints with `console.log` while it loads; trailing blanks do not count. */
export async function recordLog(load: () => Promise<unknown>): Promise<readonly string[]> {
  const printed: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
    printed.push(...format(...values).split('\n'))
  })
  try {
    await load()
  } finally {
    log.mockRestore()
  }
  return printed.map((line) => line.trimEnd())
}
