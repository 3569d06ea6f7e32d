import { chatCodes } from './dialects/chat-codes.ts'
import { chatDialect } from './dialects/chat-completions.ts'
import { type AdapterProducer, adapter, codeTable, derive } from './producer.ts'

/**
 * Azure's OpenAI service: the dialect behind Azure's gateway, with Azure's own codes in `error.code` and
 * `error.innererror.code` (often just the status) after its "REST API reference" and quota pages.
 */
export const azureOpenai: AdapterProducer = adapter(
  derive(
    { id: 'azure-openai', ...chatDialect },
    {
      id: 'azure-openai',
      codes: codeTable(
        {
          transient: `toomanyrequests ratelimitreached requestthrottled serviceunavailable internalservererror
            servererror operationtimeout gatewaytimeout conflict nocapacity backendconnectionfailure`,
          permanent: `deploymentnotfound resourcenotfound modelnotfound operationnotsupported insufficientquota
            subscriptionnotregistered subscriptiondisabled specialfeatureorquotaidrequired quotaexceeded
            contentfilter responsibleaipolicyviolation permissiondenied forbidden authorizationfailed
            firewallblocked publicnetworkaccessdisabled apiversionnotsupported unsupportedapiversion
            invalidpayload invalidrequestformat invalidapiversionparameter deprecatedmodel modeldeprecated`,
          auth_required: `accessdenied unauthorized invalidapikey invalidauthenticationtoken
            expiredauthenticationtoken authenticationfailed authenticationtypedisabled`,
          context_overflow: 'contextlengthexceeded requestentitytoolarge',
        },
        chatCodes,
      ),
      texts: [
        {
          id: 'quota_exhausted',
          class: 'permanent',
          any: ['out of call volume quota', ['exceeded your current quota', 'plan and billing']],
          status: [403],
        },
      ],
      signature: {
        hosts: ['.openai.azure.com', '.cognitiveservices.azure.com', '.services.ai.azure.com'],
        headers: ['apim-', 'x-ms-'],
      },
    },
  ),
)
