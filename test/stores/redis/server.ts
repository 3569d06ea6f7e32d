import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Which server is tried: `HEED_REDIS_SERVER`, else what is installed; nothing where none is. */
export const redisBinary: string | undefined = [
  process.env['HEED_REDIS_SERVER'] ?? 'redis-server',
  'valkey-server',
].find((name) => {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})

if (redisBinary === undefined) {
  console.warn('No redis-server (or valkey-server) is installed here: the tests against a real one are left out.')
}

/** A server of the test's own, on a port and in a folder of its own. */
export interface RedisServer {
  readonly port: number
  readonly url: string
  /** Ends it without a goodbye. */
  kill(): Promise<void>
  /** Starts it again, empty, on the same port. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Nodes of a cluster talk to each other on a port that is higher by so much. */
const BUS = 10_000
/** Below the ports that systems give to connections, so that nobody is given one of these in the meantime. */
const PORTS = { from: 12_000, count: 10_000 }
let place = Math.floor(Math.random() * PORTS.count)

/** A port on which nobody listens just now, nor on its bus. Never the same twice in a process. */
export async function freePort(): Promise<number> {
  for (;;) {
    place = (place + 1) % PORTS.count
    const port = PORTS.from + place
    if ((await isFree(port)) && (await isFree(port + BUS))) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** Starts a server that keeps nothing on disk. */
export async function startRedis(args: readonly string[] = []): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'heed-redis-'))
  const settings = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder, ...args]
  const port = await freePort()
  let running: ChildProcess
  const start = async (): Promise<void> => {
    const started = spawn(redisBinary ?? 'redis-server', ['--port', String(port), ...settings], { stdio: 'ignore' })
    running = started
    while (!(await listens(port))) {
      if (hasEnded(started)) throw new Error(`the server ended as it started (${started.exitCode}), on port ${port}`)
      await new Promise((again) => setTimeout(again, 10))
    }
  }
  const kill = (): Promise<void> =>
    new Promise((resolve) => {
      if (hasEnded(running)) return resolve()
      running.once('exit', () => resolve())
      running.kill('SIGKILL')
    })
  await start()
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    kill,
    restart: start,
    stop: async () => {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
