import { bedrockStream, exceptionIn } from './dialects/aws-event-stream.ts'
import { type AdapterProducer, adapter, codeTable } from './producer.ts'

/**
 * Amazon Bedrock's runtime: exceptions by name, over HTTP (body, `x-amzn-errortype`), in an event stream (lower camel
 * case, or the key of an item) and as SDKs throw or print them. Codes: the service's error reference and AWS's common
 * errors. AWS answers bad credentials with 403, so the name decides; a clock that is off is no reason to log in.
 */
export const bedrock: AdapterProducer = adapter({
  id: 'bedrock',
  codes: codeTable({
    transient: `throttlingexception throttling throttledexception toomanyrequestsexception requestthrottled
      requestthrottledexception requestlimitexceeded bandwidthlimitexceeded limitexceededexception slowdown
      provisionedthroughputexceededexception priorrequestnotcomplete transactioninprogressexception ec2throttledexception
      servicequotaexceededexception modelnotreadyexception modeltimeoutexception modelerrorexception
      modelstreamerrorexception internalserverexception internalservererror internalfailure internalerror
      serviceunavailableexception serviceunavailable serviceexception dependencyfailedexception requesttimeout
      requesttimeoutexception requesttimetooskewed requestexpired requestinthefuture conflictexception`,
    permanent: `accessdeniedexception accessdenied notauthorized notauthorizedexception optinrequired
      resourcenotfoundexception modelnotfoundexception unknownoperationexception invalidaction
      subscriptionrequiredexception incompletesignature validationerror malformedquerystring`,
    auth_required: `expiredtokenexception expiredtoken tokenrefreshrequired unrecognizedclientexception
      unrecognizedclient invalidclienttokenid invalidsignatureexception signaturedoesnotmatch
      missingauthenticationtokenexception missingauthenticationtoken missingauthentication authfailure
      invalidaccesskeyid credentialsprovidererror tokenprovidererror nocredentialserror nocredentialsproviders
      ssotokenloaderror unauthorizedssotokenerror authentication_error`,
    vague: { permanent: 'validationexception badrequestexception invalidparametervalue invalidrequestexception' },
  }),
  codeHeaders: ['x-amzn-errortype', 'x-amzn-error-code', ':exception-type', ':error-code'],
  codeLeads: ['exception', 'when calling'],
  codePattern:
    /\((\w{1,60})\) when calling|\b((?:throttling|validation|accessdenied|serviceunavailable|internalserver|modeltimeout|modelnotready|modelerror|modelstreamerror|resourcenotfound|expiredtoken|toomanyrequests|unrecognizedclient|servicequotaexceeded)exception)\b/,
  texts: [
    {
      id: 'clock_skew',
      class: 'transient',
      over: 'invalidsignatureexception signaturedoesnotmatch',
      any: ['signature not yet current', 'signature expired', 'too skewed', 'request timestamp'],
    },
    {
      id: 'output_parameter',
      class: 'permanent',
      any: ['maximum tokens you requested exceeds', 'maximum allowed number of output tokens', 'max_tokens must'],
    },
    {
      id: 'context_length',
      class: 'context_overflow',
      any: [
        'input is too long',
        'prompt is too long',
        ['expected maxlength', 'actual'],
        'too many input tokens',
        ['input length', 'exceed'],
        ['input token', 'exceed'],
        'exceed context limit',
        'maximum context length',
        ['context window', 'exceed'],
        ['context length', 'exceed'],
        ['prompt', 'exceeds', 'tokens'],
        'reduce the length of the prompt',
        'request body is too large',
      ],
    },
    {
      id: 'access_denied',
      class: 'permanent',
      any: [
        'model access is denied',
        "don't have access to the model",
        'is not authorized to perform',
        'not authorized to perform the required',
        'end of its life',
        'access to this model',
        'operation not allowed',
      ],
    },
    {
      id: 'credential',
      class: 'auth_required',
      any: [
        'security token included in the request is expired',
        'security token included in the request is invalid',
        'could not load credentials',
        'unable to locate credentials',
        'token is expired',
        'token has expired',
        'bearer token has expired',
        'sso session',
      ],
      status: [400, 401, 403],
    },
    {
      id: 'throttled',
      class: 'transient',
      any: ['too many requests', 'too many tokens', 'rate exceeded', 'throttl', 'please wait before trying again'],
    },
    {
      id: 'unavailable',
      class: 'transient',
      any: [
        'unable to process your request',
        'internal server error',
        'internal error',
        'unexpected error during processing',
        'service unavailable',
        'try your request again',
        'on-demand capacity',
        'model is not ready',
        'timed out processing',
      ],
      status: [408, 424, 429, 500, 502, 503, 504],
    },
  ],
  hints: {},
  stream: bedrockStream,
  unwrap: exceptionIn,
  signature: {
    hosts: ['.amazonaws.com'],
    headers: ['x-amzn-', ':exception-type'],
    words: ['bedrock'],
    shape: ({ codes }) => codes.some((code) => /^[a-z]{4,50}exception$/i.test(code)),
  },
})
