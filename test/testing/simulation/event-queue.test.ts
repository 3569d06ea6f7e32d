import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventQueue } from '../../../src/testing/simulation/event-queue.ts'

const operation = fc.oneof(
  { weight: 3, arbitrary: fc.record({ id: fc.nat(200), atMs: fc.integer({ min: 0, max: 20 }) }) },
  { weight: 2, arbitrary: fc.constant('take' as const) },
)

test('takes events by time and then by the order of scheduling, each id once and where it was last moved to', () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 400 }), (operations) => {
      const queue = new EventQueue()
      const model: { readonly id: number; readonly atMs: number; readonly order: number }[] = []
      const takeOfModel = (): number => {
        model.sort((one, other) => one.atMs - other.atMs || one.order - other.order)
        return model.shift()?.id ?? -1
      }
      operations.forEach((each, order) => {
        if (each === 'take') expect(queue.take()).toBe(takeOfModel())
        else {
          const before = model.findIndex(({ id }) => id === each.id)
          if (before >= 0) model.splice(before, 1)
          model.push({ ...each, order })
          queue.schedule(each.id, each.atMs)
        }
        expect(queue.size).toBe(model.length)
        expect(queue.firstMs).toBe(Math.min(...model.map(({ atMs }) => atMs)))
      })
      while (model.length > 0) expect(queue.take()).toBe(takeOfModel())
      expect(queue.take()).toBe(-1)
    }),
  )
})
