import type { DialectName } from './dialect.ts'
import type { Ending, HostOptions } from './host.ts'
import type { Step } from './provider-server.ts'
import type { Refusals } from './refusals.ts'

/** What a scenario's steps are made of. */
export interface Props {
  readonly dialect: DialectName
  readonly refusals: Refusals
  /** Resolves once the consumer has read all that it is to see: a step that fails midway waits for it. */
  readonly read: Promise<void>
}

/** One line of the table. */
export interface Scenario {
  readonly name: string
  readonly asks: 'unary' | 'stream'
  /** The steps of candidate `a`, in order; the last one is repeated. `b` answers "from b". */
  readonly a: (props: Props) => readonly Step[]
  readonly b?: (props: Props) => readonly Step[]
  /** Tokens that each candidate's window takes. @default unknown */
  readonly windows?: readonly [a: number, b: number]
  readonly options?: HostOptions
  /** Milliseconds that pass once `a` stalls. @default time leaps to whatever is waited for */
  readonly passMs?: number
  readonly ends: Ending
}

/** The same scenario for an answer as a whole and for a stream. */
export function both(name: string, rest: Omit<Scenario, 'name' | 'asks'>): readonly Scenario[] {
  return (['unary', 'stream'] as const).map((asks) => ({ name: `${name}, ${asks}`, asks, ...rest }))
}

/** A test of the table: its name, and how it is played. */
export type Line = readonly [name: string, play: () => Promise<void>]
