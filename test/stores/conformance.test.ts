import { memoryStore, storeConformance } from 'heed/testing'
import { describe, test } from 'vitest'

describe('the store in memory', () => {
  const store = memoryStore()
  for (const { name, run } of storeConformance(() => store)) test(name, run)
})
