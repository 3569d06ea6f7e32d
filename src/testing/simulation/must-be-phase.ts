import { isHint } from '../../core/delay.ts'
import { either } from '../../core/must-be-known.ts'
import { mustFit, optional, type Rule, type RulesOf } from './must-fit.ts'
import { count, msAbove0, share, text } from './rules.ts'
import type { Phase } from './server-script.ts'

type PhaseOf<Kind> = Extract<Phase, { readonly kind: Kind }>

const during = {
  // Its rules were found by it.
  kind: { fits: () => true, fix: '' },
  // One before 0 puts the windows of a rate elsewhere.
  fromMs: { fits: Number.isFinite, fix: 'give milliseconds; 0 is the start' },
  untilMs: {
    fits: (value) => Number.isFinite(value) || value === Number.POSITIVE_INFINITY,
    fix: 'give milliseconds, or Infinity for no end',
  },
} satisfies Record<string, Rule>

const PHASES: { readonly [Kind in Phase['kind']]: RulesOf<PhaseOf<Kind>> } = {
  brown_out: { ...during, capacity: share },
  outage: { ...during, retryAfterSecs: optional({ fits: isHint, fix: 'give seconds of 0 or more' }) },
  flaky: { ...during, share },
  rate_window: { ...during, windowMs: msAbove0, requests: count },
  revoked_key: { ...during, credential: optional(text) },
}

const KINDS = either(Object.keys(PHASES).map((kind) => `'${kind}'`))

/**
 * Refuses what is no phase of a server's script.
 *
 * @throws TypeError naming the path and what to give instead.
 */
export function mustBePhase(given: Phase, path: string): void {
  if (typeof given !== 'object' || given === null) mustFit(given, during, 'simulate', path)
  if (typeof given.kind !== 'string' || !Object.hasOwn(PHASES, given.kind))
    throw new TypeError(`simulate: ${path}.kind: give ${KINDS}`)
  mustFit(given, PHASES[given.kind], 'simulate', path)
  if (given.untilMs < given.fromMs) {
    throw new TypeError(`simulate: ${path}.untilMs: give milliseconds from fromMs on: it ends before it begins`)
  }
  if (given.kind === 'brown_out' && given.capacity === 0 && given.untilMs === Number.POSITIVE_INFINITY) {
    throw new TypeError(`simulate: ${path}.untilMs: give an end where capacity is 0: nothing would ever be served`)
  }
}
