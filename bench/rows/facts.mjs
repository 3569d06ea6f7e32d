import { inFreshProcess } from '../harness/children.mjs'

export const row = {
  id: 'facts',
  title: 'what happens, counted',
  run: async () => {
    const { lostOf50, waitForHint70Ms } = await inFreshProcess('facts.mjs', {}, [])
    const facts = (values) => Object.entries(values).map(([name, value]) => ({ name, value }))
    return [
      {
        id: 'facts-outage',
        title: 'calls lost of 50 at once, first candidate down, second well',
        facts: facts(lostOf50),
      },
      { id: 'facts-hint', title: 'wait in ms after a hint of 70 s, one candidate', facts: facts(waitForHint70Ms) },
    ]
  },
}
