import fc from 'fast-check'
import type { Health, HealthEventName } from 'heed'

const NAMES: Readonly<Record<HealthEventName, true>> = {
  attempt: true,
  failure: true,
  retry: true,
  advance: true,
  pause: true,
  resume: true,
  reduce: true,
  commit: true,
  success: true,
  surface: true,
  passthrough: true,
  auth_prompt: true,
  auth_resolved: true,
  cooling: true,
  recovered: true,
  chain_dead: true,
  malformed: true,
  listener_fault: true,
  store_fault: true,
  store_healed: true,
  decision: true,
}

/** Every event that there is. */
export const EVENT_NAMES: readonly HealthEventName[] = Object.keys(NAMES) as HealthEventName[]

/** What a listener does to those around it. */
const KINDS = ['throws', 'rejects', 'hangs', 'mutates', 'leaves', 'joins', 'answers a bad thenable'] as const
export type Hostility = (typeof KINDS)[number]

/** Listeners to add for every event, in this order. */
export const hostilities: fc.Arbitrary<readonly Hostility[]> = fc.array(fc.constantFrom(...KINDS), {
  minLength: 1,
  maxLength: 4,
})

/** How many faults one event costs: the listeners that throw or reject, each time. */
export function faultsOf(hostile: readonly Hostility[]): number {
  return hostile.filter((kind) => kind === 'throws' || kind === 'rejects' || kind === 'answers a bad thenable').length
}

/** Adds a hostile listener of each kind to an event. */
export function addHostile(health: Health, name: HealthEventName, hostile: readonly Hostility[]): void {
  for (const kind of hostile) {
    const listener = (event: unknown): unknown => {
      switch (kind) {
        case 'throws':
          throw new Error('a listener threw')
        case 'rejects':
          return Promise.reject(new Error('a listener rejected'))
        case 'hangs':
          return new Promise(() => {})
        case 'mutates':
          return vandalize(event)
        case 'leaves':
          return health.off(name, listener)
        case 'joins':
          return health.on(name, () => undefined)
        case 'answers a bad thenable':
          return Object.defineProperty({}, 'then', {
            get: () => {
              throw new Error('a listener answered this')
            },
          })
      }
    }
    health.on(name, listener)
  }
}

/** Changes whatever can be changed in a value and all it holds. */
function vandalize(value: unknown, seen: Set<object> = new Set()): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  for (const key of Reflect.ownKeys(value)) {
    vandalize(Reflect.get(value, key), seen)
    Reflect.set(value, key, 'vandalized')
    Reflect.deleteProperty(value, key)
  }
  Reflect.set(value, 'added', true)
  Reflect.setPrototypeOf(value, null)
}
