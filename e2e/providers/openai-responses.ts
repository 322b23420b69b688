import { createHash } from 'node:crypto';
import type { Rendered } from './dialect';
import { argumentsJson, type Damage, jsonFragments, spoil, textFragments } from './fragments';
import { freshId, tokens } from './ids';
import { type Json, type JsonObject, objectOf, objectsOf, stringOf, textOf } from './json';
import { openaiFile, openaiImage } from './media-rules';
import type { RenderContext } from './openai-completions';
import { addResult, argsOf, type Complaint, complaint, toolComplaints } from './openai-rules';
import { type NormalizedMessage, type NormalizedRequest, normalized, type Step } from './script';

/** The hidden content of a reasoning item from this server. It must come back unchanged. */
const encryptedOf = (id: string, reasoning: string) =>
  createHash('sha256').update(`${id}\n${reasoning}`).digest('base64');

const isFunction = (tool: JsonObject) => tool.type === 'function';

/** The Responses API's complaints about a body, in its wording; the first one is the answer. */
export function* responsesComplaints(body: JsonObject): Generator<Complaint> {
  if (stringOf(body.model) === '') {
    yield complaint("Missing required parameter: 'model'.", 'model', 'missing_required_parameter');
  }
  if (body.input === undefined || body.input === null) {
    yield complaint("Missing required parameter: 'input'.", 'input', 'missing_required_parameter');
  }
  if (body.messages !== undefined) {
    yield complaint(
      "Unsupported parameter: 'messages'. In the Responses API, this parameter has moved to 'input'.",
      'messages',
      'unsupported_parameter',
    );
  }
  const { previous_response_id: previous } = body;
  if (typeof previous === 'string') {
    // Nothing is stored here, as with an account that stores no data.
    yield complaint(
      `Previous response with id '${previous}' not found.`,
      'previous_response_id',
      'previous_response_not_found',
    );
  }
  yield* toolComplaints(undefined, objectsOf(body.tools).filter(isFunction), (index) => `tools[${index}]`);
  const items = objectsOf(body.input);
  const isStored = body.store !== false;
  for (const item of items.filter(({ type }) => type === 'reasoning')) {
    const id = stringOf(item.id);
    const words = objectsOf(item.summary)
      .map((part) => stringOf(part.text))
      .join('');
    if (!isStored && item.encrypted_content === undefined) {
      yield complaint(
        `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
        'input',
      );
    }
    if (item.encrypted_content !== undefined && item.encrypted_content !== encryptedOf(id, words)) {
      yield complaint(
        `The encrypted content for item ${id} could not be verified.`,
        null,
        'invalid_encrypted_content',
      );
    }
  }
  for (const item of items) {
    for (const part of [...objectsOf(item.output), ...objectsOf(item.content)]) {
      const wrong = inputComplaint(item.type === 'function_call_output', part);
      if (wrong !== null) yield complaint(wrong, 'input', 'invalid_value');
    }
  }
  const called = items.filter((item) => item.type === 'function_call').map((item) => stringOf(item.call_id));
  const answered = items
    .filter((item) => item.type === 'function_call_output')
    .map((item) => stringOf(item.call_id));
  for (const id of called) {
    if (!answered.includes(id)) yield complaint(`No tool output found for function call ${id}.`, 'input');
  }
  for (const id of answered) {
    if (!called.includes(id)) {
      yield complaint(`No tool call found for function call output with call_id ${id}.`, 'input');
    }
  }
}

function inputComplaint(isResult: boolean, part: JsonObject): string | null {
  const type = stringOf(part.type);
  if (type === 'input_image') return openaiImage(stringOf(part.image_url));
  if (type === 'input_file') return openaiFile(stringOf(part.filename), stringOf(part.file_data));
  return isResult && type !== 'input_text'
    ? `Invalid value: '${type}'. Supported values are: 'input_text', 'input_image', and 'input_file'.`
    : null;
}

/** An accepted Responses body as scripts see it. */
export function normalizeResponses(body: JsonObject): NormalizedRequest {
  const names = new Map<string, string>();
  const messages: NormalizedMessage[] = [];
  const system = body.instructions === undefined ? [] : [stringOf(body.instructions)];
  const items =
    typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : objectsOf(body.input);
  /** The assistant's text and calls are separate items; consecutive ones are one message. */
  const assistant = () => {
    const last = messages.at(-1);
    if (last?.role === 'assistant') return last;
    const added = { role: 'assistant' as const, text: '', calls: [] };
    messages.push(added);
    return added;
  };
  for (const item of items as JsonObject[]) {
    const text = textOf(item.content);
    if (item.type === 'function_call') {
      const call = { id: stringOf(item.call_id), name: stringOf(item.name), args: argsOf(item.arguments) };
      names.set(call.id, call.name);
      assistant().calls.push(call);
    } else if (item.type === 'function_call_output') {
      const id = stringOf(item.call_id);
      addResult(messages, { id, name: names.get(id) ?? '', content: textOf(item.output), isError: false });
    } else if (item.role === 'system' || item.role === 'developer') system.push(text);
    else if (item.role === 'user') messages.push({ role: 'user', text });
    else if (item.role === 'assistant') assistant().text += text;
  }
  return normalized({
    model: stringOf(body.model),
    system: system.join('\n\n'),
    messages,
    tools: objectsOf(body.tools)
      .filter(isFunction)
      .map((tool) => ({
        name: stringOf(tool.name),
        description: stringOf(tool.description),
        schema: objectOf(tool.parameters),
      })),
  });
}

/** A step as the typed events, and as the whole answer, of the Responses API. */
export function renderResponse(step: Step, context: RenderContext, damage?: Damage): Rendered {
  const { text = '', reasoning, calls = [] } = step;
  const frames: string[] = [];
  const event = (type: string, fields: JsonObject) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: frames.length, ...fields })}\n\n`;
  const emit = (type: string, fields: JsonObject) => frames.push(event(type, fields));
  const output: Json[] = [];
  let afterText = 0;

  const shared = {
    id: freshId('resp_'),
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    model: context.model,
    error: null,
    incomplete_details: null,
    parallel_tool_calls: true,
    previous_response_id: null,
  };
  const started = { ...shared, status: 'in_progress', output: [], usage: null };
  emit('response.created', { response: started });
  emit('response.in_progress', { response: started });

  if (reasoning !== undefined) {
    const id = freshId('rs_');
    const place = { item_id: id, output_index: output.length, summary_index: 0 };
    emit('response.output_item.added', {
      output_index: output.length,
      item: { id, type: 'reasoning', summary: [] },
    });
    emit('response.reasoning_summary_part.added', { ...place, part: { type: 'summary_text', text: '' } });
    for (const delta of textFragments(reasoning))
      emit('response.reasoning_summary_text.delta', { ...place, delta });
    emit('response.reasoning_summary_text.done', { ...place, text: reasoning });
    const part = { type: 'summary_text', text: reasoning };
    emit('response.reasoning_summary_part.done', { ...place, part });
    const item = {
      id,
      type: 'reasoning',
      summary: [part],
      ...(context.wantsEncrypted ? { encrypted_content: encryptedOf(id, reasoning) } : {}),
    };
    emit('response.output_item.done', { output_index: output.length, item });
    output.push(item);
  }

  if (step.refusal !== undefined) {
    const { refusal } = step;
    const id = freshId('msg_');
    const place = { item_id: id, output_index: output.length, content_index: 0 };
    const message = { id, type: 'message', role: 'assistant' };
    emit('response.output_item.added', {
      output_index: output.length,
      item: { ...message, status: 'in_progress', content: [] },
    });
    emit('response.content_part.added', { ...place, part: { type: 'refusal', refusal: '' } });
    for (const delta of textFragments(refusal)) emit('response.refusal.delta', { ...place, delta });
    emit('response.refusal.done', { ...place, refusal });
    const item = { ...message, status: 'completed', content: [{ type: 'refusal', refusal }] };
    emit('response.output_item.done', { output_index: output.length, item });
    output.push(item);
  }

  if (text !== '') {
    const id = freshId('msg_');
    const place = { item_id: id, output_index: output.length, content_index: 0 };
    const message = { id, type: 'message', role: 'assistant' };
    emit('response.output_item.added', {
      output_index: output.length,
      item: { ...message, status: 'in_progress', content: [] },
    });
    emit('response.content_part.added', {
      ...place,
      part: { type: 'output_text', text: '', annotations: [] },
    });
    for (const delta of textFragments(text))
      emit('response.output_text.delta', { ...place, delta, logprobs: [] });
    afterText = frames.length;
    emit('response.output_text.done', { ...place, text, logprobs: [] });
    const part = { type: 'output_text', text, annotations: [], logprobs: [] };
    emit('response.content_part.done', { ...place, part });
    const item = { ...message, status: 'completed', content: [part] };
    emit('response.output_item.done', { output_index: output.length, item });
    output.push(item);
  }

  for (const [index, { id: callId = freshId('call_'), name, args }] of calls.entries()) {
    const json = argumentsJson(args, index);
    const spoilt = index === calls.length - 1 ? damage : undefined;
    const written = spoilt ? spoil(json, spoilt) : json;
    const id = freshId('fc_');
    const place = { item_id: id, output_index: output.length };
    const call = { id, type: 'function_call', call_id: callId, name };
    emit('response.output_item.added', {
      output_index: output.length,
      item: { ...call, status: 'in_progress', arguments: '' },
    });
    for (const delta of jsonFragments(written))
      emit('response.function_call_arguments.delta', { ...place, delta });
    emit('response.function_call_arguments.done', { ...place, name, arguments: written });
    const item = { ...call, status: 'completed', arguments: written };
    emit('response.output_item.done', { output_index: output.length, item });
    output.push(item);
  }

  const breakAt = Math.max(5, frames.length >> 1);
  const outputTokens = tokens(JSON.stringify(output));
  const isCutShort = step.stop === 'length';
  const body = {
    ...shared,
    status: isCutShort ? 'incomplete' : 'completed',
    incomplete_details: isCutShort ? { reason: 'max_output_tokens' } : null,
    output,
    usage: {
      input_tokens: context.inputTokens,
      input_tokens_details: { cached_tokens: context.cachedTokens },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: tokens(reasoning ?? '') },
      total_tokens: context.inputTokens + outputTokens,
    },
  };
  emit(isCutShort ? 'response.incomplete' : 'response.completed', { response: body });

  const { message } = context.serverError;
  const failedResponse = { ...started, status: 'failed', error: { code: 'server_error', message } };
  return {
    frames,
    breakAt,
    afterText,
    errorFrames: [
      event('error', { code: 'server_error', message, param: null }),
      event('response.failed', { response: failedResponse }),
    ],
    body,
    headers: { 'x-request-id': freshId('req_') },
  };
}
