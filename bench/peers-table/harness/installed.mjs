import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../../../', import.meta.url)

/** The version of a package as a subject's import finds it: that of bench/, else that of the root, whose hosts are tested. */
export const installedVersion = (name) => {
  const places =
    name === 'heed' ? ['package.json'] : ['bench/', ''].map((at) => `${at}node_modules/${name}/package.json`)
  const manifest = places.map((place) => fileURLToPath(new URL(place, root))).find(existsSync)
  if (manifest === undefined) throw new Error(`${name} is not installed`)
  return JSON.parse(readFileSync(manifest, 'utf8')).version
}
