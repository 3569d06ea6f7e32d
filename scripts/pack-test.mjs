/**
 * The package as a stranger gets it: packed, installed into an empty project, every subpath imported, and a TypeScript
 * consumer compiled against the packed types. Slow, so it runs in `npm run check:package` and not among the tests.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installPackedInto, root } from './consumer.mjs'
import { specifiers } from './exports.mjs'

const problems = []
const expect = (what, holds, detail = '') => {
  console.log(`${holds ? 'ok' : 'FAILED'}: ${what}${holds ? '' : `\n${detail}`}`)
  if (!holds) problems.push(what)
}

const node = (args, cwd) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' })
  return { ok: status === 0, output: `${stdout}${stderr}` }
}

// Outside the repository, so that nothing can be found in a node_modules further up.
const folder = mkdtempSync(join(tmpdir(), 'heed-pack-'))
try {
  const packed = installPackedInto(folder)

  const stray = packed.filter((path) => !/^(dist\/(src|strategies)\/.+\.(js|d\.ts)(\.map)?|[^/]+)$/.test(path))
  expect('the tarball holds built files only', stray.length === 0, stray.join('\n'))
  const pages = ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE']
  const missing = pages.filter((path) => !packed.includes(path))
  expect('the tarball holds the readme, the changelog and the licence', missing.length === 0, missing.join('\n'))

  const installed = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))
  const wanted = ['cockatiel', 'eventemitter3', 'heed', 'zod']
  expect('it brings its three dependencies and nothing else', `${installed}` === `${wanted}`, `${installed}`)

  // What builds on a host at run time says which one is missing; all else imports without any.
  const hosts = {
    'heed/integrations/anthropic': '@anthropic-ai/sdk',
    'heed/integrations/langchain': '@langchain/core',
    'heed/integrations/openai': 'openai',
    'heed/integrations/otel': '@opentelemetry/api',
  }
  for (const [name, host] of Object.entries(hosts)) {
    writeFileSync(join(folder, 'hostless.mjs'), `await import('${name}')`)
    const { output } = node(['hostless.mjs'], folder)
    expect(`${name} asks for ${host}`, output.includes(`Cannot find package '${host}'`), output)
  }

  const names = specifiers(packed.map((path) => `./${path}`)).filter((name) => !(name in hosts))
  const lines = names.map((name) => `if (Object.keys(await import('${name}')).length === 0) throw '${name} is empty'`)
  writeFileSync(join(folder, 'import-all.mjs'), lines.join('\n'))
  const imported = node(['import-all.mjs'], folder)
  expect(`all ${names.length} subpaths import`, imported.ok && names.includes('heed'), imported.output)

  writeFileSync(join(folder, 'closed.mjs'), "await import('heed/dist/src/heed.js')")
  const closed = node(['closed.mjs'], folder)
  expect('inner files do not import', closed.output.includes('ERR_PACKAGE_PATH_NOT_EXPORTED'), closed.output)

  for (const name of ['consumer.ts', 'tsconfig.json']) {
    copyFileSync(join(root, 'test', 'package', 'consumer', name), join(folder, name))
  }
  const compiled = node([join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', folder], folder)
  expect('a strict TypeScript consumer compiles, library types included', compiled.ok, compiled.output)
  const ran = node([join(folder, 'out', 'consumer.js')], folder)
  expect('and runs', ran.ok && ran.output.trim() === 'consumer ok', ran.output)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = problems.length === 0 ? 0 : 1
