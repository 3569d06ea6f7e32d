import { heed } from 'heed'
import { describe, expect, test } from 'vitest'
import { type FamilyId, llm, producers } from '../../src/producers/index.ts'
import { env, verdictOf } from './answers.ts'

/** A stream as a family sends it: what comes before content, content, and the end. */
interface Sample {
  readonly preamble: readonly unknown[]
  readonly content: readonly unknown[]
  readonly end: readonly unknown[]
  /** A failure inside the stream, and its class. */
  readonly failures: readonly (readonly [unknown, string | null])[]
}

const chunk = (delta: unknown, finish_reason: string | null = null): unknown => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason }],
})

const chat: Sample = {
  preamble: [
    chunk({ role: 'assistant', content: '' }),
    chunk({}),
    { id: 'x', object: 'chat.completion.chunk', choices: [], usage: null, error: null },
  ],
  content: [
    chunk({ content: 'Hi' }),
    chunk({ reasoning_content: 'Hm' }),
    chunk({ reasoning: 'Hm' }),
    chunk({ tool_calls: [{ index: 0, id: 'call_1' }] }),
    { event: 'message', data: JSON.stringify(chunk({ content: 'Hi' })) },
    { object: 'text_completion', choices: [{ text: 'Hi' }] },
    {
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant', content: 'Error: rate limit exceeded' }, finish_reason: null }],
    },
  ],
  end: [chunk({}, 'stop'), chunk({}, 'tool_calls'), '[DONE]', { data: '[DONE]' }],
  failures: [
    [{ error: { message: 'The server had an error', type: 'server_error', param: null, code: null } }, 'transient'],
    [{ error: { code: 'context_length_exceeded', message: 'x' } }, 'context_overflow'],
    [{ error: 'Unheard of' }, null],
    [{ data: '{"error":{"type":"invalid_request_error","code":"invalid_api_key"}}' }, 'auth_required'],
    [{ object: 'error', message: 'nope', type: 'BadRequestError', param: null, code: 400 }, 'permanent'],
  ],
}

const messages: Sample = {
  preamble: [
    { type: 'message_start', message: { id: 'msg_1', type: 'message', content: [], stop_reason: null } },
    { type: 'ping' },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
  ],
  content: [
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'overloaded_error' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{' } },
    { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 't', name: 'f', input: {} } },
  ],
  end: [{ type: 'message_stop' }],
  failures: [
    [{ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'transient'],
    [{ event: 'error', data: '{"type":"error","error":{"type":"rate_limit_error","message":"x"}}' }, 'transient'],
    [
      { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 9 > 8' } },
      'context_overflow',
    ],
    [{ type: 'error', error: { type: 'never_heard_of', message: '' } }, null],
  ],
}

const responses: Sample = {
  preamble: [
    { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', error: null, output: [] } },
    { type: 'response.in_progress', response: { status: 'in_progress', error: null } },
    { type: 'response.output_item.added', item: { type: 'message', content: [] } },
    { type: 'response.output_text.delta', delta: '' },
  ],
  content: [
    { type: 'response.output_text.delta', delta: 'Hi' },
    { type: 'response.reasoning_summary_text.delta', delta: 'Hm' },
    { type: 'response.function_call_arguments.delta', delta: '{' },
    { type: 'response.output_item.done', item: { type: 'function_call' } },
  ],
  end: [
    { type: 'response.completed', response: { status: 'completed', error: null, output: [] } },
    { type: 'response.incomplete', response: { status: 'incomplete', error: null } },
  ],
  failures: [
    [
      { type: 'response.failed', response: { status: 'failed', error: { code: 'server_error', message: 'x' } } },
      'transient',
    ],
    [{ type: 'error', code: 'rate_limit_exceeded', message: 'x', param: null }, 'transient'],
    [{ type: 'error', error: { type: 'invalid_request_error', code: 'context_length_exceeded' } }, 'context_overflow'],
    [{ object: 'response', status: 'failed', error: { code: 'invalid_prompt', message: 'x' } }, 'permanent'],
    [{ type: 'response.failed', response: { status: 'failed', error: { code: 'unheard_of' } } }, null],
  ],
}

const google: Sample = {
  preamble: [{ candidates: [{ content: { parts: [{ text: '' }] } }] }, { usageMetadata: { promptTokenCount: 4 } }],
  content: [
    { candidates: [{ content: { parts: [{ text: 'Hi' }] } }] },
    { candidates: [{ content: { parts: [{ functionCall: { name: 'f', args: {} } }] } }] },
    { response: { candidates: [{ content: { parts: [{ inlineData: { data: 'AA==' } }] } }] } },
  ],
  end: [{ candidates: [{ finishReason: 'STOP' }] }, { response: { candidates: [{ finishReason: 'MAX_TOKENS' }] } }],
  failures: [
    [{ error: { code: 503, status: 'UNAVAILABLE', message: 'x' } }, 'transient'],
    [
      [{ error: { code: 400, status: 'INVALID_ARGUMENT', message: 'no', details: [{ reason: 'API_KEY_INVALID' }] } }],
      'auth_required',
    ],
    [{ promptFeedback: { blockReason: 'SAFETY' } }, 'permanent'],
  ],
}

const aws: Sample = {
  preamble: [
    { messageStart: { role: 'assistant' } },
    { contentBlockStart: { contentBlockIndex: 0, start: {} } },
    { metadata: { usage: {} } },
  ],
  content: [
    { contentBlockDelta: { delta: { text: 'Hi' }, contentBlockIndex: 0 } },
    { contentBlockStart: { start: { toolUse: { name: 'f', toolUseId: 't' } } } },
    { chunk: { bytes: new TextEncoder().encode('{"type":"content_block_delta"}') } },
  ],
  end: [
    { messageStop: { stopReason: 'end_turn' } },
    { chunk: { bytes: new TextEncoder().encode('{"amazon-bedrock-invocationMetrics":{}}') } },
  ],
  failures: [
    [{ throttlingException: { message: 'Too many requests' } }, 'transient'],
    [{ internalServerException: { message: 'x' } }, 'transient'],
    [{ modelStreamErrorException: { message: 'x', originalStatusCode: 424 } }, 'transient'],
    [{ validationException: { message: 'Input is too long for requested model.' } }, 'context_overflow'],
    [{ validationException: { message: 'Malformed' } }, 'permanent'],
    [{ unheardOfException: { message: 'x' } }, null],
  ],
}

const samples: readonly (readonly [FamilyId, Sample])[] = [
  ['openai', chat],
  ['openai-compatible', chat],
  ['openrouter', chat],
  ['vllm', chat],
  ['ollama', chat],
  ['llama.cpp', chat],
  ['opencode-zen', chat],
  ['anthropic', messages],
  ['openai-responses', responses],
  ['openai-chatgpt', responses],
  ['gemini', google],
  ['vertex', google],
  ['gemini-code-assist', google],
  ['bedrock', aws],
  [
    'ollama',
    {
      preamble: [{ model: 'm', message: { role: 'assistant', content: '' }, done: false }],
      content: [
        { message: { content: 'Hi' }, done: false },
        { response: 'Hi', done: false },
        { message: { content: '', thinking: 'Hm' } },
      ],
      end: [{ message: { content: '' }, done: true, done_reason: 'stop' }],
      failures: [[{ error: 'llama runner process has terminated: exit status 2' }, 'transient']],
    },
  ],
  [
    'cohere',
    {
      preamble: [
        { type: 'message-start', id: '1' },
        { type: 'content-start', delta: { message: { content: { text: '' } } } },
        { event_type: 'stream-start' },
      ],
      content: [
        { type: 'content-delta', delta: { message: { content: { text: 'Hi' } } } },
        { type: 'tool-call-start', delta: {} },
        { event_type: 'text-generation', text: 'Hi' },
      ],
      end: [
        { type: 'message-end', delta: { finish_reason: 'COMPLETE' } },
        { event_type: 'stream-end', finish_reason: 'COMPLETE' },
      ],
      failures: [
        [{ type: 'message-end', delta: { finish_reason: 'ERROR', error: 'x' } }, 'transient'],
        [{ event_type: 'stream-end', finish_reason: 'ERROR_LIMIT' }, 'context_overflow'],
        [{ event_type: 'stream-end', finish_reason: 'ERROR_TOXIC' }, 'permanent'],
      ],
    },
  ],
  [
    'minimax',
    {
      preamble: [{ base_resp: { status_code: 0, status_msg: '' }, choices: [] }],
      content: [chunk({ content: 'Hi' })],
      end: [chunk({}, 'stop')],
      failures: [
        [{ base_resp: { status_code: 1002, status_msg: 'rate limit' } }, 'transient'],
        [{ choices: null, base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }, 'permanent'],
        [{ base_resp: { status_code: 2049, status_msg: 'invalid api key' } }, 'auth_required'],
      ],
    },
  ],
  [
    'huggingface',
    {
      preamble: [{ token: { text: '' }, generated_text: null }],
      content: [{ token: { text: 'Hi' }, generated_text: null }],
      end: [{ token: { text: '' }, generated_text: 'Hi' }],
      failures: [
        [{ error: 'Model is overloaded', error_type: 'overloaded' }, 'transient'],
        [{ error: 'Request failed during generation', error_type: 'generation' }, 'transient'],
        [
          {
            error: 'Input validation error: `inputs` must have less than 1024 tokens. Given: 1025',
            error_type: 'validation',
          },
          'context_overflow',
        ],
      ],
    },
  ],
  [
    'dashscope',
    {
      preamble: [{ output: { text: '', finish_reason: 'null' }, request_id: 'r' }],
      content: [
        { output: { text: 'Hi', finish_reason: 'null' } },
        { output: { choices: [{ message: { content: 'Hi' }, finish_reason: 'null' }] } },
      ],
      end: [
        { output: { text: 'Hi', finish_reason: 'stop' } },
        { output: { choices: [{ message: { content: '' }, finish_reason: 'stop' }] } },
      ],
      failures: [
        [{ code: 'Throttling.RateQuota', message: 'x', request_id: 'r' }, 'transient'],
        [{ code: 'DataInspectionFailed', message: 'x', request_id: 'r' }, 'permanent'],
      ],
    },
  ],
  [
    'deepseek',
    { preamble: [], content: [], end: [], failures: [[chunk({}, 'insufficient_system_resource'), 'transient']] },
  ],
  ['zai', { preamble: [], content: [], end: [], failures: [[chunk({}, 'network_error'), 'transient']] }],
  [
    'ai-sdk',
    {
      preamble: [
        { type: 'start' },
        { type: 'start-step' },
        { type: 'text-start', id: '0' },
        { type: 'text-delta', id: '0', text: '' },
      ],
      content: [
        { type: 'text-delta', id: '0', text: 'Hi' },
        { type: 'reasoning-delta', delta: 'Hm' },
        { type: 'tool-call', toolName: 'f' },
        'Hi',
      ],
      end: [{ type: 'finish', finishReason: 'stop' }],
      failures: [
        [{ type: 'error', error: { name: 'AI_APICallError', statusCode: 503, responseBody: 'x' } }, 'transient'],
        [{ type: 'error', error: { name: 'AI_RetryError', lastError: { statusCode: 401 } } }, 'auth_required'],
        [{ type: 'error', error: 'unheard of' }, null],
      ],
    },
  ],
]

describe.each(samples)('%s', (id, { preamble, content, end, failures }) => {
  const producer = producers[id]

  test('what comes before content is neither content, an end nor a failure', () => {
    for (const item of preamble) {
      expect([item, producer.isContent?.(item), producer.isEnd?.(item)]).toEqual([item, false, false])
      expect([item, producer.inspect(item, env)]).toEqual([item, undefined])
    }
  })
  test('content is content, and no failure', () => {
    for (const item of content) {
      expect([item, producer.isContent?.(item)]).toEqual([item, true])
      expect([item, producer.inspect(item, env)]).toEqual([item, undefined])
    }
  })
  test('the end is the end, and no failure', () => {
    for (const item of end) {
      expect([item, producer.isEnd?.(item)]).toEqual([item, true])
      expect([item, producer.inspect(item, env)]).toEqual([item, undefined])
    }
  })
  test.each(failures)('%j is a failure that was answered', (item, expected) => {
    const found = producer.inspect(item, env)
    expect(found).toBeDefined()
    expect(verdictOf(found).class).toBe(expected)
  })
})

describe('llm()', () => {
  const any = llm()
  test.each(samples.filter(([id]) => id !== 'ai-sdk'))(
    'reads the stream of %s',
    (_id, { preamble, content, end, failures }) => {
      for (const item of preamble)
        expect([item, any.inspect(item, env), any.isContent?.(item)]).toEqual([item, undefined, false])
      for (const item of content)
        expect([item, any.inspect(item, env), any.isContent?.(item)]).toEqual([item, undefined, true])
      for (const item of end) expect([item, any.inspect(item, env), any.isEnd?.(item)]).toEqual([item, undefined, true])
      for (const [item, expected] of failures)
        expect([item, verdictOf(any.inspect(item, env)).class]).toEqual([item, expected])
    },
  )
})

/** What a caller may have made of items. Texts are the AI SDK's and LangChain's own, whose streams may be of texts. */
const mapped = [
  'Hi',
  '',
  '{',
  '{"name": "x", "id": 7}',
  'data: none',
  7,
  null,
  undefined,
  [],
  ['Hi'],
  {},
  { text: 'Hi' },
  { type: 'token', value: 'Hi' },
  { role: 'assistant', text: 'Hi' },
]

describe('an item of no dialect', () => {
  const streaming = Object.entries({ ...producers, llm: llm() }).filter(([, producer]) => producer.isContent)

  test('there are enough families that stream', () => expect(streaming.length).toBeGreaterThan(25))
  test.each(streaming)('%s says nothing of it', (id, producer) => {
    const ownTexts = id === 'ai-sdk' || id === 'langchain'
    for (const item of mapped) {
      if (!(ownTexts && (typeof item === 'string' || Array.isArray(item))))
        expect([item, producer.isContent?.(item)]).toEqual([item, undefined])
      expect([item, producer.isEnd?.(item)]).toEqual([item, undefined])
    }
  })

  test('a text that is streamed as it is has content and no end', () => {
    expect(['', 'Hi'].map((text) => producers['ai-sdk'].isContent?.(text))).toEqual([false, true])
    expect(['', 'Hi'].map((text) => producers.langchain.isContent?.(text))).toEqual([false, true])
  })
})

describe('through the middleware, with llm()', () => {
  const candidates = [
    { id: 'a/small', provider: 'a' },
    { id: 'b/large', provider: 'b' },
  ]
  const guard = heed({ producer: llm(), candidates })
  const collect = async (streams: readonly (readonly unknown[])[]): Promise<readonly unknown[]> => {
    const left = [...streams]
    const items: unknown[] = []
    const stream = guard.stream(async function* () {
      yield* left.shift() ?? []
    })
    for await (const item of stream) items.push(item)
    return items
  }

  test('a stream mapped to plain texts is delivered and ends', async () => {
    const texts = ['', 'The ', 'answer', '', '{', '"a": 1', '}', '{"a": 1}', '7']
    expect(await collect([texts])).toEqual(texts)
  })

  test('a stream mapped to objects of its caller is delivered and ends', async () => {
    const items = [{ text: 'The ' }, { text: 'answer' }, { usage: 7 }]
    expect(await collect([items])).toEqual(items)
  })

  test('a stream of its own that is cut off before its end fails', async () => {
    await expect(collect([[chunk({ role: 'assistant' }), chunk({ content: 'Hi' })]])).rejects.toMatchObject({
      reason: 'incomplete_stream',
    })
  })

  test('a failure before content is tried elsewhere, and the preamble is delivered once', async () => {
    const good = [chunk({ role: 'assistant' }), chunk({ content: 'Hi' }), chunk({}, 'stop'), '[DONE]']
    const bad = [chunk({ role: 'assistant' }), { error: { code: 'model_not_found', message: '' } }]
    expect(await collect([bad, good])).toEqual(good)
  })
})

test.each([
  undefined,
  null,
  0,
  '',
  'text',
  [],
  {},
  { id: 1, name: 'x' },
  { message: 'hello' },
  { error: null },
  { status: 200, ok: true },
])('%j is an ordinary value to every family', (value) => {
  for (const producer of Object.values({ ...producers, llm: llm() }))
    expect(producer.inspect(value, env)).toBeUndefined()
})
