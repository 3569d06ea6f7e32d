import type { Classification } from '../../core/classification.ts'
import { type Arrivals, even, poisson } from './arrivals.ts'
import type { Clients, NextStep } from './behaviour.ts'
import { Call } from './call-under-way.ts'
import { EventQueue } from './event-queue.ts'
import { mustBeSimulation } from './must-be-simulation.ts'
import { randomFor } from './random.ts'
import { Server } from './server.ts'
import type { SimulationOptions, SimulationResult } from './simulation.ts'
import { Tally } from './tally.ts'

const TIMED_OUT: Classification = Object.freeze({ class: undefined, ambiguous: true })

/**
 * Runs clients against scripted servers in virtual time: hours of many clients take seconds, and nothing waits.
 *
 * @throws TypeError where the options make no simulation.
 */
export function simulate(options: SimulationOptions): SimulationResult {
  mustBeSimulation(options)
  return new Simulation(options).run()
}

class Simulation {
  readonly #options: SimulationOptions
  readonly #timeoutMs: number
  readonly #arrivals: Arrivals
  readonly #clients: Clients
  readonly #servers: readonly Server[]
  /** By slot. */
  readonly #queue = new EventQueue()
  /** When humans answer, and about which server; soonest first. */
  readonly #answers: { readonly atMs: number; readonly server: number }[]
  readonly #calls: Call[] = []
  readonly #free: Call[] = []
  readonly #tally = new Tally()
  #started = 0
  #attempts = 0
  #repeats = 0
  #served = 0
  #timedOut = 0
  #events = 0
  #endMs = 0

  constructor(options: SimulationOptions) {
    const { seed, clients, callsPerSec, servers, behaviour } = options
    this.#options = options
    this.#timeoutMs = options.timeoutMs ?? Number.POSITIVE_INFINITY
    this.#arrivals =
      options.arrivals === 'even'
        ? even(callsPerSec, clients)
        : poisson(callsPerSec, clients, randomFor(seed, 'arrivals'))
    this.#clients = behaviour.start(clients, randomFor(seed, 'behaviour'))
    this.#servers = servers.map((script, number) => new Server(script, randomFor(seed, `server ${number}`)))
    this.#answers = servers
      .flatMap(({ phases = [] }, server) =>
        phases.flatMap(({ kind, untilMs }) => (kind === 'revoked_key' ? [{ atMs: untilMs, server }] : [])),
      )
      .sort((one, other) => one.atMs - other.atMs)
  }

  run(): SimulationResult {
    const { forMs } = this.#options
    for (;;) {
      const arrivalMs = this.#arrivals.nextMs < forMs ? this.#arrivals.nextMs : Number.POSITIVE_INFINITY
      const answerMs = this.#answers[0]?.atMs ?? Number.POSITIVE_INFINITY
      const eventMs = this.#queue.firstMs
      if (answerMs <= arrivalMs && answerMs <= eventMs && answerMs < Number.POSITIVE_INFINITY) this.#answer(answerMs)
      else if (arrivalMs <= eventMs && arrivalMs < Number.POSITIVE_INFINITY) this.#start(arrivalMs)
      else if (eventMs < Number.POSITIVE_INFINITY) this.#goOn(this.#calls[this.#queue.take()] as Call, eventMs)
      else break
      this.#events += 1
    }
    return this.#result()
  }

  #start(nowMs: number): void {
    let call = this.#free.pop()
    if (call === undefined) {
      call = new Call(this.#calls.length)
      this.#calls.push(call)
    }
    call.client = this.#arrivals.take()
    call.startMs = nowMs
    call.attempts = 0
    call.repeats = 0
    call.transientAt = 0
    this.#started += 1
    this.#tally.started(nowMs)
    this.#act(call, this.#clients.begin(call, nowMs), nowMs)
  }

  #goOn(call: Call, nowMs: number): void {
    const { pending } = call
    if (pending === 'served') {
      this.#clients.served(call, nowMs)
      this.#served += 1
      this.#tally.served(call.startMs)
      this.#settle(call, nowMs, true)
    } else if (pending === 'wake') {
      this.#act(call, this.#clients.woken(call, nowMs), nowMs)
    } else {
      const bit = 1 << call.server
      if (pending === TIMED_OUT) this.#timedOut += 1
      if (pending === TIMED_OUT || pending.class === 'transient') call.transientAt |= bit
      else call.transientAt &= ~bit
      this.#act(call, this.#clients.failed(call, pending, nowMs), nowMs)
    }
  }

  #act(call: Call, step: NextStep, nowMs: number): void {
    switch (step.kind) {
      case 'attempt':
        this.#attempt(call, step.server, step.credential, nowMs)
        break
      case 'wait':
        // Back in time is no wait, and NaN would put the events in no order at all.
        if (!(step.delayMs >= 0)) {
          throw new TypeError(`simulate: ${this.#options.behaviour.name} waits ${step.delayMs} ms; give 0 or more`)
        }
        call.pending = 'wake'
        this.#queue.schedule(call.slot, nowMs + step.delayMs)
        break
      case 'end':
        this.#settle(call, nowMs, false)
        break
    }
  }

  #attempt(call: Call, number: number, credential: string | undefined, nowMs: number): void {
    const server = this.#servers[number]
    if (server === undefined) throw new TypeError(`simulate: ${this.#options.behaviour.name} asks server ${number}`)
    const endMs = server.ask(nowMs, credential)
    call.server = number
    call.attempts += 1
    this.#attempts += 1
    this.#tally.attempted(nowMs)
    if ((call.transientAt & (1 << number)) !== 0) {
      call.repeats += 1
      this.#repeats += 1
    }
    const timesOut = endMs - nowMs > this.#timeoutMs
    call.pending = timesOut ? TIMED_OUT : (server.refusal ?? 'served')
    this.#queue.schedule(call.slot, timesOut ? nowMs + this.#timeoutMs : endMs)
  }

  #settle(call: Call, endMs: number, served: boolean): void {
    const { client, startMs, attempts, repeats } = call
    this.#endMs = endMs
    this.#free.push(call)
    this.#options.settled?.({ client, startMs, endMs, attempts, repeats, served })
  }

  /** A human answers: the clients' calls that waited for it are woken. */
  #answer(nowMs: number): void {
    const { server } = this.#answers.shift() as { readonly server: number }
    for (const { slot, afterMs } of this.#clients.resolved?.(server) ?? []) this.#queue.schedule(slot, nowMs + afterMs)
  }

  #result(): SimulationResult {
    return {
      name: this.#options.behaviour.name,
      calls: this.#started,
      attempts: this.#attempts,
      repeats: this.#repeats,
      served: this.#served,
      timedOut: this.#timedOut,
      prompts: this.#clients.prompts ?? 0,
      endMs: this.#endMs,
      events: this.#events,
      servers: this.#servers.map(({ admitted, refused, busyMs }) => ({ admitted, refused, busyMs })),
      seconds: this.#tally.seconds(),
    }
  }
}
