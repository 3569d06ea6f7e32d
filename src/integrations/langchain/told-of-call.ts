import { mustBeCallSettings } from '../kit/must-be-call-settings.ts'

/**
 * What the `call` of the options says of one call.
 *
 * @throws TypeError where it says what would be ignored, naming the setting and those that there are.
 */
export function toldOfCall<A, S extends object>(
  call: ((asked: A) => S) | undefined,
  asked: A,
  host: string,
): S | undefined {
  const told: S | undefined = call?.(asked)
  if (told !== undefined) mustBeCallSettings(told, `${host}: call()`)
  return told
}
