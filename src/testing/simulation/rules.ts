import type { Rule } from './must-fit.ts'

const isNumber = (value: unknown): value is number => typeof value === 'number' && !Number.isNaN(value)

/** A number of times, or of things. */
export const count: Rule = {
  fits: (value) => (Number.isInteger(value) && Number(value) >= 0) || value === Number.POSITIVE_INFINITY,
  fix: 'give a whole number of 0 or more, or Infinity for no limit',
}

/** What is saved up: parts of one count. */
export const savedUp: Rule = {
  fits: (value) => isNumber(value) && value >= 0,
  fix: 'give a number of 0 or more, or Infinity for no limit',
}

/** An amount that is taken, or given back. */
export const amount: Rule = {
  fits: (value) => Number.isFinite(value) && Number(value) >= 0,
  fix: 'give a number of 0 or more',
}

/** A part of a whole. */
export const share: Rule = {
  fits: (value) => isNumber(value) && value >= 0 && value <= 1,
  fix: 'give a share from 0 to 1',
}

/** A time that passes. */
export const ms: Rule = {
  fits: (value) => Number.isFinite(value) && Number(value) >= 0,
  fix: 'give milliseconds of 0 or more',
}

/** A time that passes, and not in no time. */
export const msAbove0: Rule = {
  fits: (value) => Number.isFinite(value) && Number(value) > 0,
  fix: 'give milliseconds above 0',
}

/** What something is called. */
export const text: Rule = {
  fits: (value) => typeof value === 'string' && value !== '',
  fix: 'give a name that is not empty',
}

export const flag: Rule = { fits: (value) => typeof value === 'boolean', fix: 'give true or false' }

export const fn: Rule = { fits: (value) => typeof value === 'function', fix: 'give a function' }
