import { mergeConfigs, type RunnableConfig } from '@langchain/core/runnables'
import { isObject } from '../kit/is-object.ts'
import { standIn } from '../kit/stand-in.ts'
import { MODEL_NAMED } from './candidates.ts'

type Method = (...args: unknown[]) => unknown

/** Methods that answer a model made of the one asked, at once or as a promise. */
const DERIVE: ReadonlySet<unknown> = new Set(['bindTools', 'withConfig', ...MODEL_NAMED])

/**
 * The same model, or tool, with something added to the config of each `invoke`; the user's object is left as it is.
 *
 * @remarks A proxy and no `withConfig()`: an agent must find the methods, the profile and the class of the model that it
 * was given, and some models let the config of a call replace what was bound to them, callbacks and signal included.
 */
export function overlaid<T extends object>(of: T, added: Partial<RunnableConfig>): T {
  return standIn(of, (name) => {
    const value: unknown = Reflect.get(of, name, of)
    if (name === 'bound' && isObject(value)) return overlaid(value, added)
    if (name === 'steps' && Array.isArray(value))
      return value.map((step) => (isModel(step) ? overlaid(step, added) : step))
    if (typeof value !== 'function' || name === 'constructor') return value
    if (name === 'invoke') {
      return (input: unknown, config?: RunnableConfig) =>
        (value as Method).call(of, input, mergeConfigs(config, added as RunnableConfig))
    }
    if (DERIVE.has(name)) return (...args: unknown[]) => derived((value as Method).apply(of, args), added)
    // Private fields are found on the object itself only.
    return value.bind(of)
  })
}

function derived(made: unknown, added: Partial<RunnableConfig>): unknown {
  if (made instanceof Promise) return made.then((value) => derived(value, added))
  return isObject(made) ? overlaid(made, added) : made
}

/** What an agent looks for among the steps of a sequence. */
function isModel(step: unknown): step is object {
  return isObject(step) && ('bindTools' in step || 'bound' in step)
}
