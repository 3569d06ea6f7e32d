import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const root = createRequire(new URL('../../package.json', import.meta.url))

/** The path of a public name of the built package, as a consumer's import would find it. @param {string} name */
export const pathOfHeed = (name = 'heed') => root.resolve(name)

/** Imports the built package by a public name. @param {string} name */
export const importHeed = (name = 'heed') => import(pathToFileURL(pathOfHeed(name)).href)
