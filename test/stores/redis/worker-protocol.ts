import type { HealthEventName, HeedOptions } from 'heed'

/** How a worker is to share its health. */
export interface Opening {
  readonly client: 'ioredis' | 'redis'
  readonly url: string
  readonly prefix: string
  readonly candidates: readonly { readonly id: string; readonly provider: string }[]
  readonly options: Omit<Partial<HeedOptions<{ readonly id: string; readonly provider: string }>>, 'candidates'>
}

/** What a worker is told to do. */
export type Command =
  | { readonly does: 'open'; readonly opening: Opening }
  | { readonly does: 'run'; readonly count: number; readonly provider: string }
  | { readonly does: 'outcomes' | 'snapshot' | 'pending' | 'noted' | 'faults' | 'close' }
  | { readonly does: 'resolve'; readonly name: string }

/** What it answers. */
export interface Answer {
  readonly number: number
  readonly value?: unknown
  readonly error?: string
}

/** An event that its channel told. */
export interface Noted {
  readonly name: HealthEventName
  readonly event: Readonly<Record<string, unknown>>
}
