import { chatCodes } from './dialects/chat-codes.ts'
import { chatDialect } from './dialects/chat-completions.ts'
import { chatStream } from './dialects/chat-stream.ts'
import { type Item, isFilled, isItem, itemsIn, payloadOf } from './kit/stream-shape.ts'
import { type AdapterProducer, adapter, codeTable, derive } from './producer.ts'

/**
 * DashScope (Alibaba Model Studio), native and compatible. Codes of its "Error codes" page. `insufficient_quota` here is
 * `Throttling.AllocationQuota`, tokens per minute: a window in spite of its name. Only `Arrearage` and a free tier that
 * is used up are billing.
 */
export const dashscope: AdapterProducer = adapter(
  derive(
    { id: 'dashscope', ...chatDialect },
    {
      id: 'dashscope',
      codes: codeTable(
        {
          transient: `throttling throttling.ratequota throttling.burstrate throttling.allocationquota throttling.user
            throttling.api limitrequests limit_requests insufficient_quota limit_burst_rate
            internalerror internalerror.algo internalerror.timeout internalerror.fileupload internal_error systemerror
            modelserviceunavailable modelservicefailed model_service_error modelservingerror requesttimeout
            responsetimeout serviceunavailable rate_limit_error`,
          permanent: `arrearage prepaidbilloverdue postpaidbilloverdue commoditynotpurchased
            allocationquota.freetieronly throttling.freetieronly
            datainspectionfailed data_inspection_failed inappropriatecontent accessdenied accessdenied.unpurchased
            access_denied model.accessdenied workspace.accessdenied app.accessdenied modelnotfound model_not_found
            modelnotsupported model_not_supported workspacenotfound unsupportedoperation invalidurl
            invalidfile.format invalidfile.cost file_parsing_error invalidschema flownotpublished
            ipinfringementsuspect faqrulesblocked customroleblocked deploymentnotfound invalid_tool_call`,
          auth_required: 'invalidapikey invalid_api_key unauthorized invalidaccesstoken expiredtoken',
          vague: {
            permanent: 'invalidparameter invalid_parameter_error badrequest badrequestexception conflict notfound',
          },
        },
        chatCodes,
      ),
      texts: [
        {
          id: 'account',
          class: 'permanent',
          any: ['account is in good standing', 'free tier of the model has been exhausted', 'overdue'],
        },
        {
          id: 'free_quota',
          class: 'permanent',
          over: 'throttling.allocationquota insufficient_quota',
          any: ['free allocated quota exceeded', 'free quota has been used up'],
        },
        {
          id: 'context_length',
          class: 'context_overflow',
          any: ['range of input length should be', 'input length should be', 'total message token length'],
        },
        { id: 'output_parameter', class: 'permanent', any: ['range of max_tokens should be'] },
        {
          id: 'quota_window',
          class: 'transient',
          any: [
            ['exceeded your current quota', 'plan and billing'],
            'allocated quota exceeded',
            'requests rate limit exceeded',
          ],
        },
      ],
      stream: {
        failureOf: (value) => {
          const item = payloadOf(value)
          const native = isItem(item) && item['output'] === undefined && item['choices'] === undefined
          return native && isFilled(item['code']) && typeof item['code'] === 'string'
            ? item
            : chatStream.failureOf(value)
        },
        isContent: (value) => chatStream.isContent?.(outputIn(value)),
        isEnd: (value) => chatStream.isEnd?.(outputIn(value)),
      },
      signature: {
        hosts: ['dashscope.aliyuncs.com', 'dashscope-intl.aliyuncs.com'],
        headers: ['x-dashscope-'],
        words: ['aliyun.com'],
      },
    },
  ),
)

/** The native API puts the answer into `output`, and writes the text `null` as the reason until the end. */
function outputIn(value: unknown): unknown {
  const item = payloadOf(value)
  if (!isItem(item) || !isItem(item['output'])) return item
  const { output } = item
  return { choices: output['choices'] === undefined ? [ended(output)] : itemsIn(output, 'choices').map(ended) }
}

function ended(choice: Item): Item {
  const { finish_reason: reason } = choice
  return { text: choice['text'], message: choice['message'], finish_reason: reason === 'null' ? null : reason }
}
