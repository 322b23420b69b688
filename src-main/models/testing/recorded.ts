/** Minimal answers in each provider's published format, with every billed figure. */

const named = (events: object[]) =>
  events
    .map((data) => `event: ${'type' in data ? String(data.type) : ''}\ndata: ${JSON.stringify(data)}\n\n`)
    .join('');
const data = (events: object[], end = '') =>
  events.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('') + end;

export const ANTHROPIC = named([
  {
    type: 'message_start',
    message: {
      id: 'msg_01XFDUDYJgAACzvnptvVoYEL',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5-20250929',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: 21,
        cache_creation_input_tokens: 188,
        cache_read_input_tokens: 18_086,
        cache_creation: { ephemeral_5m_input_tokens: 188, ephemeral_1h_input_tokens: 0 },
        output_tokens: 4,
        service_tier: 'standard',
      },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'ping' },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
  { type: 'content_block_stop', index: 0 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: {
      input_tokens: 21,
      cache_creation_input_tokens: 188,
      cache_read_input_tokens: 18_086,
      output_tokens: 393,
    },
  },
  { type: 'message_stop' },
]);

const chunk = {
  id: 'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT',
  object: 'chat.completion.chunk',
  created: 1_741_569_952,
  model: 'gpt-4.1-2025-04-14',
};

export const OPENAI_CHAT = data(
  [
    { ...chunk, choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    {
      ...chunk,
      choices: [],
      usage: {
        prompt_tokens: 2006,
        completion_tokens: 300,
        total_tokens: 2306,
        prompt_tokens_details: { cached_tokens: 1920, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 192, audio_tokens: 0 },
      },
    },
  ],
  'data: [DONE]\n\n',
);

const response = {
  id: 'resp_67cb32528d6881909eb2859a55e18a85',
  object: 'response',
  created_at: 1_741_369_938,
  model: 'gpt-5-2025-08-07',
};
const message = {
  id: 'msg_67cb3252cfac8190865744873aada798',
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
};

export const OPENAI_RESPONSES = named([
  { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
  {
    type: 'response.output_item.added',
    output_index: 0,
    item: { ...message, status: 'in_progress', content: [] },
  },
  {
    type: 'response.output_text.delta',
    item_id: message.id,
    output_index: 0,
    content_index: 0,
    delta: 'Hello',
  },
  { type: 'response.output_item.done', output_index: 0, item: message },
  {
    type: 'response.completed',
    response: {
      ...response,
      status: 'completed',
      output: [message],
      usage: {
        input_tokens: 2750,
        input_tokens_details: { cached_tokens: 2560 },
        output_tokens: 900,
        output_tokens_details: { reasoning_tokens: 832 },
        total_tokens: 3650,
      },
    },
  },
]);

const part = (text: string, more: object = {}) => ({
  candidates: [{ content: { parts: [{ text, ...more }], role: 'model' }, index: 0 }],
});

/** Each response reports the totals so far; the thoughts are not among the candidates' tokens. */
export const GOOGLE = data([
  {
    ...part('Let me think.', { thought: true }),
    usageMetadata: {
      promptTokenCount: 4209,
      cachedContentTokenCount: 4027,
      thoughtsTokenCount: 60,
      totalTokenCount: 4269,
    },
    modelVersion: 'gemini-2.5-pro',
  },
  {
    ...part('Hel'),
    usageMetadata: {
      promptTokenCount: 4209,
      cachedContentTokenCount: 4027,
      candidatesTokenCount: 2,
      thoughtsTokenCount: 88,
      totalTokenCount: 4299,
    },
  },
  {
    ...part('lo'),
    usageMetadata: {
      promptTokenCount: 4209,
      cachedContentTokenCount: 4027,
      candidatesTokenCount: 5,
      thoughtsTokenCount: 88,
      totalTokenCount: 4302,
    },
  },
  {
    candidates: [{ finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: 4209,
      cachedContentTokenCount: 4027,
      candidatesTokenCount: 7,
      thoughtsTokenCount: 88,
      totalTokenCount: 4304,
    },
  },
]).replaceAll('\n', '\r\n');

const line = (more: object) =>
  `${JSON.stringify({ model: 'qwen3', created_at: '2026-01-05T10:00:00.000Z', ...more })}\n`;

export const OLLAMA =
  line({ message: { role: 'assistant', content: 'Hello' }, done: false }) +
  line({
    message: { role: 'assistant', content: '' },
    done: true,
    done_reason: 'stop',
    total_duration: 4_883_583_458,
    load_duration: 1_334_875,
    prompt_eval_count: 26,
    prompt_eval_duration: 342_546_000,
    eval_count: 282,
    eval_duration: 4_535_599_000,
  });
