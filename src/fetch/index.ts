export type { AnswerOptions } from './answer-options.ts'
export { type ClassInterceptor, classInterceptor, type Dispatch } from './class-interceptor.ts'
export { type AnyFetch, type FetchAnswer, type FetchWithClassOptions, fetchWithClass } from './fetch-with-class.ts'
export { HttpError, type HttpErrorInit, type HttpErrorJson, isHttpError } from './http-error.ts'
