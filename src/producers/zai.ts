import { chatCodes } from './dialects/chat-codes.ts'
import { chatDialect } from './dialects/chat-completions.ts'
import { type AdapterProducer, adapter, codeTable, derive } from './producer.ts'

/**
 * Z.ai (Zhipu, GLM). The numbers of its "Error codes" page: 1000s authentication, 1110s account, 1200s call, 1300s
 * policy and windows, all under 429 or 400. Only 1113 and an expired plan are billing; 1308 and 1310 are windows, whose
 * reset is written without a time zone and so states no instant. `sensitive` and `network_error` end a stream.
 */
export const zai: AdapterProducer = adapter(
  derive(
    { id: 'zai', ...chatDialect },
    {
      id: 'zai',
      codes: codeTable(
        {
          transient: '500 1120 1200 1230 1234 1302 1303 1304 1305 1308 1310 1312 1313 network_error',
          permanent: `1110 1111 1112 1113 1121 1210 1211 1212 1213 1214 1215 1220 1221 1222 1231 1300 1301 1309 1311
            1314 1315 1316`,
          auth_required: '1000 1001 1002 1003 1004 1005',
          context_overflow: '1261',
        },
        chatCodes,
      ),
      statuses: { 434: 'permanent', 435: 'context_overflow' },
      texts: [
        {
          id: 'balance',
          class: 'permanent',
          any: ['insufficient balance', 'no resource package', 'please recharge', '余额不足'],
        },
        {
          id: 'usage_window',
          class: 'transient',
          any: ['usage limit reached', '使用上限', 'concurrency', '并发'],
          status: [429],
        },
        { id: 'context_length', class: 'context_overflow', any: ['prompt exceeds max length', '超长'] },
      ],
      signature: {
        hosts: ['api.z.ai', 'open.bigmodel.cn'],
        shape: ({ codes }) => codes.some((code) => /^1[0-3]\d\d$/.test(code)),
      },
    },
  ),
)
