import { answer, refuse } from '../../../demo/fleet/steps.mjs'
import { outcomeOf, until } from '../harness/observe.mjs'
import { refusalOf } from '../harness/refusals.mjs'
import { onStage, TEXT } from '../harness/stage.mjs'

export const title = 'The primary refuses the key with 401, the fallback is well; watched for 3 s'

export const run = (subject) => {
  const steps = { primary: refuse(refusalOf(subject.host.dialect, 'refusedKey')), fallback: answer(TEXT) }
  return onStage(subject, steps, async ({ caller, seen }) => {
    let prompts = 0
    caller.health?.on('auth_prompt', () => prompts++)
    const controller = new AbortController()
    const call = caller.ask(controller.signal)
    call.catch(() => {})
    await until(() => seen('primary').length > 0, 10_000)
    const outcome = await outcomeOf(call, 3_000)
    controller.abort()
    return { outcome, prompts, requests: { primary: seen('primary').length, fallback: seen('fallback').length } }
  })
}

const became = ({ outcome, prompts }) =>
  ({
    served: '**silently served by the fallback**',
    answered: '**the failure is the answer**',
    failed: 'error',
    pending: prompts > 0 ? 'asks for a sign-in, waits for it' : 'still held after 3 s',
  })[outcome.how]

export const columns = [
  {
    title: '401: requests to the primary, then',
    cell: (result) => `${result.requests.primary}, ${became(result)}`,
  },
]
