/**
 * The health channel as structured log lines. Events name candidates, classes, reasons and times; none holds a
 * producer's text, a request or a secret. A listener that throws changes nothing.
 */
import { createHealth, type HealthEventName, heed } from 'heed'
import { fakeClock, producedError, scriptedProducer } from 'heed/testing'

const clock = fakeClock()
const health = createHealth({ clock })

const LEVELS: Partial<Record<HealthEventName, 'info' | 'warn' | 'error'>> = {
  retry: 'info',
  advance: 'warn',
  cooling: 'warn',
  recovered: 'info',
  auth_prompt: 'error',
  passthrough: 'error',
  chain_dead: 'error',
  surface: 'error',
  malformed: 'warn',
  listener_fault: 'error',
}
for (const [event, level] of Object.entries(LEVELS) as [HealthEventName, string][]) {
  health.on(event, (fields) => {
    const line = JSON.stringify({ level, msg: event, ...fields })
    // A call's id is unique in all processes; its last part alone is the same in each run of this file.
    console.log(line.replace(/"callId":"[^"]*-/, '"callId":"'))
  })
}
// Whoever throws here disturbs nobody, and is told of.
health.on('advance', () => {
  throw new Error('the log is full')
})

const secret = 'sk-live-1234'
const { call } = scriptedProducer(
  {
    'acme/large': [
      { error: producedError('transient', { retryAfterSecs: 2, message: `key ${secret} is over its limit` }) },
      { error: producedError('permanent', { message: `key ${secret} has no credit` }) },
    ],
  },
  { clock },
)
const guard = heed({
  candidates: [
    { id: 'acme/large', provider: 'acme', credentials: [{ id: 'team-key', secret }] },
    { id: 'other/large', provider: 'other' },
  ],
  clock,
  health,
  random: () => 0,
})
await clock.run(guard.execute(call))
console.log(JSON.stringify(health.snapshot().budgets))
// => {"level":"warn","msg":"cooling","callId":"1","at":0,"asked":"acme/large","candidate":"acme/large","provider":"acme","credential":"team-key","source":"hint","forMs":2000}
// => {"level":"info","msg":"retry","callId":"1","at":0,"asked":"acme/large","candidate":"acme/large","provider":"acme","credential":"team-key","delayMs":2000,"class":"transient","retryAfterSecs":2,"reason":"retry_after"}
// => {"level":"warn","msg":"advance","callId":"1","at":2000,"asked":"acme/large","candidate":"other/large","provider":"other","delayMs":0,"class":"permanent","reason":"permanent","from":"acme/large"}
// => {"level":"error","msg":"listener_fault","at":2000,"listenedTo":"advance"}
// => [{"candidate":"acme/large","saved":2},{"candidate":"other/large","saved":1}]
