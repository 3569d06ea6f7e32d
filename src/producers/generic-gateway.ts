import { chatDialect } from './dialects/chat-completions.ts'
import { type AdapterProducer, adapter, derive } from './producer.ts'

/**
 * A proxy or CDN in front of an API, and gateways of an unknown kind: pages in HTML, bare texts, the dialect's errors
 * wrapped once more. What a gateway answers was answered, so it is never ambiguous: 502, 504, 520 to 530 are
 * `transient`. Numbers of Cloudflare's "1xxx errors" stand in the page: a block stays a block.
 */
export const genericGateway: AdapterProducer = adapter(
  derive(
    { id: 'generic-gateway', ...chatDialect },
    {
      id: 'generic-gateway',
      texts: [
        {
          id: 'blocked',
          class: 'permanent',
          any: [
            'error code: 1020',
            'error code: 1006',
            'error code: 1007',
            'error code: 1008',
            'error code: 1009',
            'error code: 1010',
            'attention required! | cloudflare',
          ],
        },
        { id: 'rate_limited', class: 'transient', any: ['error code: 1015', 'you are being rate limited'] },
        {
          id: 'no_upstream',
          class: 'transient',
          any: [
            'no healthy upstream',
            'upstream connect error',
            'upstream request timeout',
            'upstream prematurely closed',
            'no available server',
          ],
        },
      ],
    },
  ),
)
