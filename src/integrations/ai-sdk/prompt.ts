import type {
  LanguageModelV3DataContent,
  LanguageModelV3Prompt,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
  SharedV4FileData,
} from '@ai-sdk/provider'

/** A prompt as versions 2 and 3 of the specification have it: they know files by their data or address alone. */
export function asV3Prompt(prompt: LanguageModelV4Prompt): LanguageModelV3Prompt {
  return prompt.map((message) => {
    if (message.role === 'system') return message
    const content = message.content.map((part) => {
      if (part.type === 'file') return { ...part, data: dataOf(part.data) }
      return part.type === 'tool-result' ? { ...part, output: outputOf(part.output) } : part
    })
    return { ...message, content }
  }) as LanguageModelV3Prompt
}

function dataOf(data: SharedV4FileData): LanguageModelV3DataContent {
  if (data.type === 'data') return data.data
  // What the older versions cannot say goes through as it is: the model refuses it in its own words.
  return data.type === 'url' ? data.url : (data as unknown as LanguageModelV3DataContent)
}

function outputOf(output: LanguageModelV4ToolResultOutput): object {
  if (output.type !== 'content') return output
  return { ...output, value: output.value.map((part) => (part.type === 'file' ? filePart(part) : part)) }
}

type Value = Extract<LanguageModelV4ToolResultOutput, { type: 'content' }>['value'][number]

function filePart(part: Extract<Value, { type: 'file' }>): object {
  const { data, mediaType, filename, providerOptions } = part
  if (data.type === 'text') return part
  if (data.type === 'url') return { type: 'file-url', url: data.url.toString(), providerOptions }
  if (data.type === 'reference') return { type: 'file-id', fileId: data.reference, providerOptions }
  const base64 = typeof data.data === 'string' ? data.data : base64Of(data.data)
  return { type: 'file-data', data: base64, mediaType, filename, providerOptions }
}

/** Bytes are handed to `fromCharCode` as arguments, of which an engine takes only so many. */
const MOST_ARGUMENTS = 32_768

function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += MOST_ARGUMENTS) {
    text += String.fromCharCode(...bytes.subarray(at, at + MOST_ARGUMENTS))
  }
  return btoa(text)
}
