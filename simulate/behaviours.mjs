/** How clients answer failures: heed beside what it is compared with. All wait by heed's default backoff. */
import { policyOf } from 'heed'
import { awsTokenBucket, grpcThrottle, heedClients, naiveRetry, noRetry, successBudget } from 'heed/testing'

const candidates = [{ id: 'only', provider: 'only' }]

/**
 * heed with default settings but for the budget.
 * @param {import('heed').BudgetOptions | false} [budget] the default where none is given
 * @param {string} [name]
 */
export const heedWith = (budget, name = 'heed') =>
  heedClients(policyOf(budget === undefined ? { candidates } : { candidates, budget }), { name })

/** The default budget's numbers, read where they are given. */
const { limits } = policyOf({ candidates })
export const defaultBudget = limits.budget === false ? { cap: 0, start: 0, deposit: 0 } : limits.budget

/** For a provider that one process serves itself from: many repeats saved up. */
export const loneBudget = { ...defaultBudget, cap: 10 }

/** @param {import('heed').BudgetOptions} budget */
export const named = ({ cap, start, deposit }) => `cap ${cap}, start ${start}, deposit ${deposit}`

export const behaviours = [
  noRetry(),
  naiveRetry(),
  grpcThrottle(),
  awsTokenBucket(),
  successBudget(),
  heedWith(undefined, `heed: ${named(defaultBudget)} (default)`),
  heedWith(loneBudget, `heed: ${named(loneBudget)}`),
]
