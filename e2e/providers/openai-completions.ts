import type { Rendered } from './dialect';
import { argumentsJson, type Damage, jsonFragments, spoil, textFragments } from './fragments';
import { freshId, tokens } from './ids';
import type { JsonObject } from './json';
import type { Step } from './script';

export interface RenderContext {
  model: string;
  inputTokens: number;
  cachedTokens: number;
  /** Reasoning items contain their hidden content. */
  wantsEncrypted: boolean;
  /** The request's `stream_options.include_usage`. */
  wantsUsage: boolean;
  serverError: JsonObject;
}

const frame = (data: JsonObject) => `data: ${JSON.stringify(data)}\n\n`;

/** A step as the chunks, and as the whole answer, of Chat Completions. */
export function renderCompletion(step: Step, context: RenderContext, damage?: Damage): Rendered {
  const { text = '', reasoning, calls = [] } = step;
  const ready = calls.map(({ id = freshId('call_'), name, args }, index) => {
    const json = argumentsJson(args, index);
    const spoilt = index === calls.length - 1 ? damage : undefined;
    return { id, name, json: spoilt ? spoil(json, spoilt) : json };
  });
  const finish = step.stop === 'length' ? 'length' : ready.length > 0 ? 'tool_calls' : 'stop';
  const reasoningTokens = tokens(reasoning ?? '');
  const outputTokens = tokens(text) + tokens(JSON.stringify(ready)) + reasoningTokens;
  const usage = {
    prompt_tokens: context.inputTokens,
    completion_tokens: outputTokens,
    total_tokens: context.inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: context.cachedTokens, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reasoningTokens,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
  const shared = {
    id: freshId('chatcmpl-'),
    created: Math.floor(Date.now() / 1000),
    model: context.model,
    service_tier: 'default',
    system_fingerprint: 'fp_loopback',
  };

  const chunk = (delta: JsonObject, finishReason: string | null = null) =>
    frame({
      ...shared,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
      ...(context.wantsUsage ? { usage: null } : {}),
    });

  // The real service starts with the role. With text, content is an empty string; with calls alone it is null.
  const frames = [
    chunk({ role: 'assistant', content: text === '' && ready.length > 0 ? null : '', refusal: null }),
  ];
  for (const reasoning_content of textFragments(reasoning ?? '')) frames.push(chunk({ reasoning_content }));
  for (const content of textFragments(text)) frames.push(chunk({ content }));
  if (step.refusal !== undefined) {
    for (const refusal of textFragments(step.refusal)) frames.push(chunk({ refusal }));
  }
  const afterText = text === '' ? 0 : frames.length;
  for (const [index, { id, name, json }] of ready.entries()) {
    frames.push(chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }));
    for (const fragment of jsonFragments(json)) {
      frames.push(chunk({ tool_calls: [{ index, function: { arguments: fragment } }] }));
    }
  }
  const breakAt = Math.max(2, frames.length >> 1);
  frames.push(chunk({}, finish));
  if (context.wantsUsage)
    frames.push(frame({ ...shared, object: 'chat.completion.chunk', choices: [], usage }));
  frames.push('data: [DONE]\n\n');

  const message = {
    role: 'assistant',
    content: text === '' && ready.length > 0 ? null : text,
    refusal: step.refusal ?? null,
    annotations: [],
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...(ready.length === 0
      ? {}
      : {
          tool_calls: ready.map(({ id, name, json }) => ({
            id,
            type: 'function',
            function: { name, arguments: json },
          })),
        }),
  };
  return {
    frames,
    breakAt,
    afterText,
    errorFrames: [frame({ error: context.serverError })],
    body: {
      ...shared,
      object: 'chat.completion',
      choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
      usage,
    },
    headers: { 'x-request-id': freshId('req_') },
  };
}
