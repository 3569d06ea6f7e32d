/**
 * The fields in which failures are known to be described: by HTTP APIs, their SDKs, gateways, AWS, Node and browsers.
 * No other field of anything is read, so that extra fields and hostile names matter to nothing.
 */

/** A string here is, or may be, a code; a number too. */
export const CODE = 64
/** A number from 400 to 599 here is an HTTP status. */
export const STATUS = 128
/** A string here is wording, or holds JSON. */
export const TEXT = 256
/** An object or list here is gone into. */
export const ENTER = 512
/** An object here holds headers. */
export const HEADERS = 1_024
/** The low bits rank the fields of one object against each other: the more specific field is heard first. */
export const RANK = 63

const table: Readonly<Record<string, number>> = {
  lc_error_code: CODE | 0,
  name: CODE | 1,
  type: CODE | 3,
  __type: CODE | 4,
  errorType: CODE | 5,
  error_type: CODE | 6,
  finish_reason: CODE | 7,
  limit_source: CODE | 8,
  provider_code: CODE | 9,
  errno: CODE | 10,
  errorCode: CODE | 12,
  error_code: CODE | STATUS | 13,
  Code: CODE | 14,

  httpStatusCode: STATUS | 2,
  http_status: STATUS | 3,
  httpStatus: STATUS | 4,
  upstreamStatus: STATUS | 5,
  upstream_status: STATUS | 6,
  statusCode: STATUS | CODE | 8,
  status_code: STATUS | CODE | 9,
  status: STATUS | CODE | 2,
  code: STATUS | CODE | 15,

  message: TEXT | ENTER,
  Message: TEXT,
  msg: TEXT,
  errorMessage: TEXT,
  error_msg: TEXT,
  status_msg: TEXT,
  error_description: TEXT,
  error_message: TEXT,

  reason: CODE | ENTER | 11,
  error: CODE | TEXT | ENTER | 14,
  detail: CODE | TEXT | ENTER | 2,
  body: TEXT | ENTER,
  data: TEXT | ENTER,
  raw: TEXT | ENTER,
  responseBody: TEXT | ENTER,
  cause: TEXT | ENTER,
  errors: ENTER,
  response: TEXT | ENTER,
  metadata: ENTER,
  innererror: ENTER,
  details: TEXT | ENTER,
  param: ENTER,
  result: ENTER,
  lastError: ENTER,
  base_resp: ENTER,
  $metadata: ENTER,
  $response: ENTER,
  ResponseMetadata: ENTER,
  Error: ENTER,

  headers: HEADERS,
  responseHeaders: HEADERS,
}

/** What each known field may hold. */
export const ROLES: ReadonlyMap<string, number> = new Map(Object.entries(table))

/** The same as a list, for objects whose fields are inherited or not enumerable, as those of errors are. */
export const ROLE_LIST: readonly (readonly [string, number])[] = Object.entries(table)
