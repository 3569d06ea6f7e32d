import { chatCodes } from './dialects/chat-codes.ts'
import { chatDialect } from './dialects/chat-completions.ts'
import { type AdapterProducer, adapter, codeTable, derive } from './producer.ts'

/**
 * Volcengine Ark (Doubao). Codes of its "Error codes" page, some with a part behind a dot. Rates and safe-experience
 * limits are windows or settings of the account; only overdue accounts are billing.
 */
export const volcengineArk: AdapterProducer = adapter(
  derive(
    { id: 'volcengine-ark', ...chatDialect },
    {
      id: 'volcengine-ark',
      codes: codeTable(
        {
          transient: `ratelimitexceeded.endpointrpmexceeded ratelimitexceeded.endpointtpmexceeded ratelimitexceeded
            ratelimitexceeded.foundationmodelrpmexceeded ratelimitexceeded.foundationmodeltpmexceeded
            modelaccountrpmratelimitexceeded modelaccounttpmratelimitexceeded modelaccountipmratelimitexceeded
            apiaccountrpmratelimitexceeded accountratelimitexceeded requestbursttoofast serveroverloaded
            inflightbatchsizeexceeded quotaexceeded accountquotaexceeded internalserviceerror internalservererror serviceunavailable
            invalidendpoint.closedendpoint endpointisinvalid.temporarilyunavailable modelloadingerror toomanyrequests`,
          permanent: `accountoverdueerror setlimitexceeded accessdenied operationdenied operationdenied.permissiondenied
            operationdenied.servicenotopen operationdenied.serviceoverdue operationdenied.customizationnotsupported
            operationdenied.unsupportedphase operationdenied.invalidstate unsupportedmodel modelnotopen modelidaccessdisabled
            invalidendpointormodel.notfound invalidendpointormodel.modelidaccessdisabled invalidendpointormodel
            invalidendpoint.notfound notfound missingparameter invalidparameter.unsupportedparameter
            sensitivecontentdetected sensitivecontentdetected.severeviolation sensitivecontentdetected.violence
            inputtextsensitivecontentdetected inputimagesensitivecontentdetected inputvideosensitivecontentdetected
            inputaudiosensitivecontentdetected outputtextsensitivecontentdetected outputimagesensitivecontentdetected
            outputvideosensitivecontentdetected inputtextriskdetection inputimageriskdetection outputtextriskdetection
            outputimageriskdetection contentsecuritydetectionerror invalidsubscription invalidargumenterror
            invalidparameter.oversizeimage invalidparameter.unsupportedimageformat invalidimageurl.emptyurl
            invalidimageurl.invalidformat unknownerror.unsupported`,
          auth_required: 'authenticationerror invalidaccountstatus unauthorized',
          context_overflow: 'invalidparameter.inputtoolong contextlengthexceeded',
          vague: { permanent: 'invalidparameter badrequest forbidden' },
        },
        chatCodes,
      ),
      texts: [
        {
          id: 'context_length',
          class: 'context_overflow',
          any: [
            ['input', 'exceed', 'maximum'],
            'total tokens of image and text exceed max message tokens',
            'exceed max message tokens',
            ['input length', 'exceeds'],
          ],
          status: [400],
        },
      ],
      signature: {
        hosts: ['.volces.com', '.bytepluses.com'],
        shape: ({ codes }) =>
          codes.some((code) =>
            /^(?:AccountOverdueError|SetLimitExceeded|ServerOverloaded|RateLimitExceeded\.)/.test(code),
          ),
      },
    },
  ),
)
