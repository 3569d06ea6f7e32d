import type { ServerResponse } from 'node:http'
import { type CallToolResult, McpError } from '@modelcontextprotocol/sdk/types.js'
import type { Door, Step } from './tool-server.ts'

/** A tool's answer. */
export const says = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] })

/** Succeeds. */
export const serves =
  (text: string): Step =>
  () =>
    says(text)

/** Fails with a JSON-RPC error. */
export const throws =
  (code: number, data?: unknown): Step =>
  () => {
    throw new McpError(code, 'The secret token abc was refused', data)
  }

/** Answers an `isError` result. */
export const failsWith =
  (fields: Partial<CallToolResult>): Step =>
  () => ({ ...says('It did not work'), ...fields, isError: true })

/** Never answers. */
export const hangs: Step = () => new Promise(() => {})

/** Tells of its progress, where it was asked to, and never answers. */
export const progressesAndHangs: Step = async (extra, input) => {
  await progresses(extra, 1)
  return hangs(extra, input)
}

/** Tells of its progress, where it was asked to. */
export async function progresses(extra: Parameters<Step>[0], progress: number): Promise<void> {
  const progressToken = extra._meta?.progressToken
  if (progressToken === undefined) return
  await extra.sendNotification({ method: 'notifications/progress', params: { progressToken, progress } })
}

/** Answers with a status, and a body as servers and gateways send it. */
export const answers =
  (status: number, body = ''): Door =>
  (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  }

/** The JSON-RPC body of an HTTP refusal, as the SDK's own server writes it. */
export const refusal = (code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null })

/** The same, with a class that the server states. */
export const statedRefusal = (stated: string): string =>
  JSON.stringify({ jsonrpc: '2.0', error: { code: -32001, message: 'Refused', data: { class: stated } }, id: null })

/** Cuts the connection after the request was read. */
export const cuts: Door = (_response, request) => {
  request.socket.resetAndDestroy()
}
