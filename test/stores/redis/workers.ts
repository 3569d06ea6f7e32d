import { type ChildProcess, fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { HealthSnapshot, PendingPrompt } from 'heed'
import type { Answer, Command, Noted } from './worker-protocol.ts'

/** A process of its own with a guard. */
export interface Worker {
  readonly id: string
  tell(command: Command): Promise<unknown>
  snapshot(): Promise<HealthSnapshot>
  pending(): Promise<readonly PendingPrompt[]>
  /** Events of a name, in order. */
  noted(name: Noted['name']): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Ends it without a goodbye. */
  kill(): Promise<void>
}

/** Where the workers' program is. */
export interface Program {
  start(id: string): Worker
  remove(): Promise<void>
}

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Makes one file of the worker and all that it needs, so that a process of it is quick to start. */
export async function programOfWorkers(): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'heed-workers-'))
  const outfile = join(folder, 'worker.cjs')
  const [dir, ext] = process.env['HEED_TARGET'] === 'dist' ? ['dist/src', 'js'] : ['src', 'ts']
  await build({
    entryPoints: [fileURLToPath(new URL('worker.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'silent',
    alias: { heed: join(root, `${dir}/index.${ext}`), 'heed/stores/redis': join(root, `${dir}/stores/redis.${ext}`) },
  })
  return {
    start: (id) => workerOf(fork(outfile, [id]), id),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

function workerOf(process: ChildProcess, id: string): Worker {
  let asked = 0
  const waiting = new Map<number, (answer: Answer) => void>()
  process.on('message', (answer: Answer) => waiting.get(answer.number)?.(answer))
  const tell = (command: Command): Promise<unknown> =>
    new Promise((resolve, reject) => {
      asked += 1
      const number = asked
      waiting.set(number, ({ value, error }) => {
        waiting.delete(number)
        if (error === undefined) resolve(value)
        else reject(new Error(`worker ${id}: ${error}`))
      })
      process.send({ number, command })
    })
  return {
    id,
    tell,
    snapshot: async () => (await tell({ does: 'snapshot' })) as HealthSnapshot,
    pending: async () => (await tell({ does: 'pending' })) as readonly PendingPrompt[],
    noted: async (name) =>
      ((await tell({ does: 'noted' })) as readonly Noted[])
        .filter((each) => each.name === name)
        .map(({ event }) => event),
    kill: () =>
      new Promise((resolve) => {
        if (process.exitCode !== null || process.signalCode !== null) return resolve()
        process.once('exit', () => resolve())
        process.kill('SIGKILL')
      }),
  }
}

/** Asks again until it is so. A test that waits in vain ends by its own time limit. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((again) => setTimeout(again, 10))
}

/** Asks all until it is so of each. */
export async function untilAll(workers: readonly Worker[], isSo: (worker: Worker) => Promise<boolean>): Promise<void> {
  await Promise.all(workers.map((worker) => until(() => isSo(worker))))
}
