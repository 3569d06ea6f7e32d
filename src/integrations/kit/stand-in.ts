/**
 * An object in the place of the user's, with some of its fields read otherwise; the user's is left as it is. Whatever
 * reads or writes fields of the stand-in, lists their names or asks for its class finds those of the user's.
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
