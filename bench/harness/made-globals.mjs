/**
 * Counts the timers, abort controllers and abort listeners that code makes. Install it before the code under watch is
 * imported: a library may keep a global that it read once.
 */
export const watchGlobals = () => {
  const made = { timers: 0, controllers: 0, signals: 0, listeners: 0 }
  for (const name of ['setTimeout', 'setInterval', 'setImmediate']) {
    const original = globalThis[name]
    globalThis[name] = (...args) => {
      made.timers++
      return original(...args)
    }
  }
  const Controller = globalThis.AbortController
  globalThis.AbortController = class AbortController extends Controller {
    constructor() {
      super()
      made.controllers++
    }
  }
  for (const name of ['any', 'timeout']) {
    const original = AbortSignal[name]
    AbortSignal[name] = (...args) => {
      made.signals++
      return original.apply(AbortSignal, args)
    }
  }
  const add = EventTarget.prototype.addEventListener
  EventTarget.prototype.addEventListener = function addEventListener(...args) {
    made.listeners++
    return add.apply(this, args)
  }
  return { made, reset: () => Object.assign(made, { timers: 0, controllers: 0, signals: 0, listeners: 0 }) }
}
