import type { ConformanceCase } from '../../../src/testing/conformance/conformance-case.ts'

/** The names of the cases that a strategy fails, so that a test can say exactly which rule catches which fault. */
export function failingCases(cases: readonly ConformanceCase[]): readonly string[] {
  return cases.flatMap(({ name, run }) => {
    try {
      run()
      return []
    } catch (error) {
      if (error instanceof Error) return [name]
      throw error
    }
  })
}
