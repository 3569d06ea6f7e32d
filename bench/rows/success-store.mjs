import { importHeed } from '../harness/built-heed.mjs'
import { answering, succeeding } from './answers.mjs'

/** Candidates that other processes have marked: none of them is one of the guard's. */
const MARKS = 1_000

const candidates = [{ id: 'a', provider: 'p' }]

/** A guard alone, or over a store, which may hold a thousand marks of others. @param {'alone' | 'store' | 'marks'} how */
const guardOver = async (how) => {
  const { createHealth, heed } = await importHeed()
  if (how === 'alone') return heed({ candidates })
  const { memoryStore } = await importHeed('heed/testing')
  const store = memoryStore()
  if (how === 'marks') {
    const { NO_SHARE } = await importHeed('heed/stores/mirrored')
    const { atMs } = await store.read()
    const marks = { 'k:': { untilMs: atMs + 86_400_000, setMs: atMs } }
    const write = (_, place) => ({ ...NO_SHARE, group: `h:other/${place}`, marks })
    await store.publish(Array.from({ length: MARKS }, write))
  }
  const health = createHealth({ store })
  await health.ready()
  if (health.snapshot().cooling.length !== (how === 'marks' ? MARKS : 0)) throw new Error('the mirror lacks its marks')
  return heed({ candidates, health })
}

const cases = { 'heed alone': 'alone', 'heed, store': 'store', 'heed, store, 1,000 marks of others': 'marks' }

export const row = {
  id: 'success-store',
  title: '`execute`, success, with a shared store',
  unit: 'ns/call',
  baselines: ['heed alone'],
  against: 'heed alone',
  target: 1.1,
  groups: [['heed, store', 'heed, store, 1,000 marks of others']],
  prepare: async (name) => {
    const guard = await guardOver(cases[name])
    const fn = succeeding()
    return answering(() => guard.execute(fn))
  },
}
