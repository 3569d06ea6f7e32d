/**
 * An object in the place of the user's, with some of its fields read otherwise; the user's is left as it is, and whatever
 * looks at the stand-in finds its fields, its names and its class.
 *
 * @remarks The proxy's own target only inherits from the object: of a frozen one a proxy may answer nothing but the
 * field itself.
 * @param read - Answers a field of the stand-in.
 */
export function standIn<T extends object>(of: T, read: (name: string | symbol) => unknown): T {
  return new Proxy<T>(Object.create(of), {
    get: (_, name) => read(name),
    set: (_, name, value) => Reflect.set(of, name, value),
    getPrototypeOf: () => Reflect.getPrototypeOf(of),
    ownKeys: () => Reflect.ownKeys(of),
    getOwnPropertyDescriptor: (_, name) => {
      const described = Reflect.getOwnPropertyDescriptor(of, name)
      return described && { ...described, configurable: true }
    },
  })
}
