import fc from 'fast-check'
import type { Classification } from 'heed'
import { knownClass } from './support/arbitraries.ts'

/** What nobody but the caller may read: one string per place, so that a leak tells where it came from. */
export const SECRETS = {
  message: 'SECRET-message',
  body: 'SECRET-body',
  cause: 'SECRET-cause',
  detail: 'SECRET-detail',
  adapter: 'SECRET-adapter',
  answer: 'SECRET-answer',
  header: 'SECRET-header',
  code: 'SECRET-code',
  hint: 'SECRET-hint',
  reduce: 'SECRET-reduce',
  input: 'SECRET-input',
  credentialObject: 'SECRET-credential-object',
  candidateField: 'SECRET-candidate-field',
} as const

/** Ids of credentials: operators see them in events; whoever a serialized error is sent to does not. */
export const CREDENTIAL_IDS = ['KEY-ID-one', 'KEY-ID-two'] as const

/** The secrets that a text holds. */
export function leaksIn(text: string): readonly string[] {
  return Object.values(SECRETS).filter((secret) => text.includes(secret))
}

/** What a failure says, and in which shape it comes. */
export interface Carried {
  readonly said: Classification
  readonly shape: 'error' | 'object' | 'nested' | 'in the adapter' | 'answered' | 'unreadable hint'
  readonly afterContent: boolean
}

export const carried: fc.Arbitrary<Carried> = fc.record({
  said: fc.record(
    {
      class: fc.oneof({ weight: 8, arbitrary: knownClass }, { weight: 1, arbitrary: fc.constant('brand_new') }),
      retryAfterSecs: fc.constantFrom(0, 1, 90),
      exhausted: fc.constant(true),
    },
    { requiredKeys: ['class'] },
  ),
  shape: fc.constantFrom('error', 'object', 'nested', 'in the adapter', 'answered', 'unreadable hint'),
  afterContent: fc.boolean(),
})

/** A failure full of secrets. */
export function laden({ said, shape }: Carried): object {
  const fields = {
    class: said.class,
    ...(said.retryAfterSecs === undefined ? {} : { retry_after_secs: said.retryAfterSecs }),
    ...(said.exhausted === undefined ? {} : { exhausted: said.exhausted }),
  }
  const beside = {
    message: SECRETS.message,
    code: SECRETS.code,
    body: { error: SECRETS.body },
    headers: { authorization: SECRETS.header },
    detail: { provider_code: SECRETS.detail },
    cause: new Error(SECRETS.cause),
  }
  switch (shape) {
    case 'error':
      return Object.assign(new Error(SECRETS.message, { cause: beside.cause }), beside, fields)
    case 'object':
      return { ...beside, ...fields }
    case 'nested':
      return { ...beside, error: { ...beside, ...fields } }
    case 'unreadable hint':
      return Object.assign(new Error(SECRETS.message), beside, fields, { retry_after_secs: SECRETS.hint })
    // Without a class of its own: the adapter reads it.
    case 'in the adapter':
    case 'answered':
      return { ...beside, adapted: said }
  }
}
