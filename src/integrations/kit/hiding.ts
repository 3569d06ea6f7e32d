/**
 * The same object, with fields that hold keys taken out of what is printed, serialized and spread; they are read as
 * before. For objects of heed's own making: what a log of `served` shows is then a name and no secret.
 */
export function hiding<T extends object>(holder: T, ...names: readonly (keyof T)[]): T {
  for (const name of names) {
    if (name in holder) Object.defineProperty(holder, name, { enumerable: false })
  }
  return holder
}
