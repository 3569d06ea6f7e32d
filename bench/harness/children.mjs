import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Compiling happens in line, so that a busy machine does not leave cases uncompiled. The heap is as Node ships it. */
export const TIMING = ['--no-concurrent-recompilation']

/**
 * A young generation of 64 MB, so that allocation can be read between two collections. Not for timing: touching that
 * much fresh memory costs page faults, and they would be most of what is measured.
 */
export const ALLOCATION = [...TIMING, '--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64']

/**
 * Runs one file of `children/` in a fresh process and answers what it prints as JSON. One at a time: two would share
 * the cores and the caches.
 * @param {string} file @param {unknown} task @param {readonly string[]} flags
 */
export const inFreshProcess = (file, task, flags) =>
  new Promise((resolve, reject) => {
    const path = fileURLToPath(new URL(`../children/${file}`, import.meta.url))
    const child = spawn(process.execPath, [...flags, path, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    let err = ''
    child.stdout.on('data', (data) => (out += data))
    child.stderr.on('data', (data) => (err += data))
    child.on('error', reject)
    child.on('close', (code) => {
      if (code !== 0) return reject(new Error(`${file} ${JSON.stringify(task)} exited with ${code}\n${err}`))
      resolve(JSON.parse(out.slice(out.lastIndexOf('\n', out.length - 2) + 1)))
    })
  })
