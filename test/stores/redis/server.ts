import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where the server's binary is; nothing where it is not installed. */
export const redisBinary: string | undefined = ['redis-server', 'valkey-server'].find((name) => {
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

/** A port that nobody listens on just now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject()))
    })
  })
}

/** Starts a server that keeps nothing on disk. */
export async function startRedis(args: readonly string[] = [], given?: number): Promise<RedisServer> {
  const port = given ?? (await freePort())
  const folder = await mkdtemp(join(tmpdir(), 'heed-redis-'))
  let running: ChildProcess
  const start = async (): Promise<void> => {
    const settings = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      folder,
    ]
    running = spawn(redisBinary ?? 'redis-server', [...settings, ...args], { stdio: 'ignore' })
    while (!(await listens(port))) await new Promise((again) => setTimeout(again, 10))
  }
  const kill = (): Promise<void> =>
    new Promise((resolve) => {
      if (running.exitCode !== null || running.signalCode !== null) return resolve()
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
