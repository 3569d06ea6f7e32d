import { type Context, createContext, runInContext, runInThisContext } from 'node:vm'
import { bundledCopy } from './bundled-copy.ts'

/** The package's public names, from another copy of it. */
export type Copy = typeof import('heed')

/** A realm of its own, with what any host offers. */
export const realm: Context = createContext({
  performance,
  setTimeout,
  clearTimeout,
  crypto,
  AbortController,
  DOMException,
})

/** A second copy in this realm, as two versions in one tree of dependencies give. */
export const duplicate: Copy = runInThisContext(bundledCopy)

/** A copy whose every object, errors included, is of another realm. */
export const foreign: Copy = runInContext(bundledCopy, realm)
