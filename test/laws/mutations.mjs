/**
 * One mistake per law, each such as a programmer makes: the law's own test must catch it.
 *
 * @typedef {object} Mutation
 * @property {number} law
 * @property {string} mistake - What the programmer got wrong.
 * @property {string} file
 * @property {string} search - Occurs exactly once in the file.
 * @property {string} replace
 */

/** @type {readonly Mutation[]} */
export const mutations = [
  {
    law: 1,
    mistake: 'the consumer looks at the status',
    file: 'src/shell/classify.ts',
    search: 'const adapter = answered ?? ask(call, error)',
    replace:
      "if ((error as { status?: number } | undefined)?.status === 401) return { class: 'auth_required' }\n  const adapter = answered ?? ask(call, error)",
  },
  {
    law: 2,
    mistake: 'an unknown class is wrapped',
    file: 'src/core/decision.ts',
    search: "    reason === 'unknown_class' ||\n",
    replace: '',
  },
  {
    law: 3,
    mistake: 'no class means transient',
    file: 'src/core/fold-failure.ts',
    search: '  return classification.class\n',
    replace: "  return classification.class ?? 'transient'\n",
  },
  {
    law: 4,
    mistake: 'the earlier of two hints is kept, not the later',
    file: 'src/core/marks.ts',
    search: 'old.untilMs >= untilMs ? marks',
    replace: 'old.untilMs <= untilMs ? marks',
  },
  {
    law: 5,
    mistake: 'selection forgets who is dead',
    file: 'src/core/selection.ts',
    search: 'return !isDead(view, target) && windowFits(view.state, target)',
    replace: 'return windowFits(view.state, target)',
  },
  {
    law: 6,
    mistake: 'a late refusal marks the new generation',
    file: 'src/core/marks.ts',
    search: 'if (mark.generation !== failure.generation || mark.declined) return marks',
    replace: 'if (mark.declined) return marks',
  },
  {
    law: 7,
    mistake: 'an equal window is taken for a larger one',
    file: 'src/core/selection.ts',
    search: 'window <= state.overflowed',
    replace: 'window < state.overflowed',
  },
  {
    law: 8,
    mistake: 'a committed call is tried again',
    file: 'src/core/decide.ts',
    search: "  if (failure.committed === true) return asItCame(view, failure, 'committed')\n",
    replace: '',
  },
  {
    law: 9,
    mistake: 'each wait is held against the limit, not their sum',
    file: 'src/core/selection.ts',
    search: 'waitedMs + delayMs <= view.policy.limits.maxWaitMs',
    replace: 'delayMs <= view.policy.limits.maxWaitMs',
  },
  {
    law: 10,
    mistake: 'a wait may begin as long as the deadline has not passed',
    file: 'src/core/selection.ts',
    search: 'view.nowMs + delayMs < deadlineMs',
    replace: 'view.nowMs < deadlineMs',
  },
  {
    law: 11,
    mistake: 'a pause does not hear the abort',
    file: 'src/shell/wait.ts',
    search: 'call.underWay = { cancel: unanswered }',
    replace: 'call.underWay = { cancel: () => undefined }',
  },
  {
    law: 12,
    mistake: 'a wait is reported for each attempt after it',
    file: 'src/shell/fail.ts',
    search: '  call.waitedMs = 0\n',
    replace: '',
  },
  {
    law: 13,
    mistake: 'a decision draws randomness beside what was recorded',
    file: 'src/shell/next-decision.ts',
    search: 'decideFrom(policy, folded, input, call.noteFault)',
    replace: 'decideFrom(policy, folded, { ...input, random: fraction(engine) }, call.noteFault)',
  },
  {
    law: 14,
    mistake: "a listener's throw is told and not contained",
    file: 'src/health/channel.ts',
    search: '      } catch {\n        fault()\n',
    replace: '      } catch (error) {\n        fault()\n        throw error\n',
  },
  {
    law: 15,
    mistake: 'credentials go out with the attempts',
    file: 'src/errors.ts',
    search: 'this.attempts.map(({ credential: _credential, ...record }) => record)',
    replace: 'this.attempts',
  },
  {
    law: 16,
    mistake: 'a candidate that is merely spent counts as dead',
    file: 'src/core/death.ts',
    search: 'every((candidate) => isDead(view, candidate))',
    replace:
      "every((candidate) => isDead(view, candidate) || candidateTallyOf(view.state, candidate).last === 'transient')",
  },
  {
    law: 17,
    mistake: 'a repeat is paid for by the calls that follow it, if any',
    file: 'src/core/budget.ts',
    search: 'return Math.max(0, saved - 1)',
    replace: 'return Math.max(0, saved - 0.5)',
  },
  {
    law: 18,
    mistake: 'objects are told by instanceof',
    file: 'src/wire/read-classification.ts',
    search: "return (typeof value === 'object' && value !== null) || typeof value === 'function'",
    replace: 'return value instanceof Object',
  },
  {
    law: 19,
    mistake: 'a class is taken for leave to send again',
    file: 'src/core/decide.ts',
    search: 'failure.classification.ambiguous === true && !state.idempotent',
    replace:
      'failure.classification.ambiguous === true && failure.classification.class === undefined && !state.idempotent',
  },
  {
    law: 20,
    mistake: 'a wait that was given up leaves its timer',
    file: 'src/shell/wait.ts',
    search: '    this.#call.engine.timers.cancel(this)\n    this.ring()\n',
    replace: '    this.ring()\n',
  },
]
