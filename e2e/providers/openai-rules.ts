import {
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  objectsOf,
  parseJson,
  stringOf,
  textOf,
} from './json';
import { openaiFile, openaiImage } from './media-rules';
import { type NormalizedMessage, type NormalizedRequest, normalized } from './script';

/** The service's complaint, as in its error body. */
export interface Complaint {
  message: string;
  param: string | null;
  code: string | null;
}

const COMPLETIONS_FIELDS = new Set(
  `messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens
   metadata modalities moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key
   prompt_cache_options prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier
   stop store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity
   web_search_options`.split(/\s+/),
);

const ROLES = ['system', 'assistant', 'user', 'function', 'tool', 'developer'];
const NAME = /^[a-zA-Z0-9_-]+$/;
const MAX_TOOLS = 128;
const MAX_ID_LENGTH = 40;
const MAX_NAME_LENGTH = 64;

export const complaint = (
  message: string,
  param: string | null = null,
  code: string | null = null,
): Complaint => ({
  message,
  param,
  code,
});

function emptyArray(param: string): Complaint {
  return complaint(
    `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
    param,
    'empty_array',
  );
}

function tooLong(param: string, limit: number, length: number): Complaint {
  return complaint(
    `Invalid '${param}': string too long. Expected a string with maximum length ${limit}, but got a string with length ${length} instead.`,
    param,
    'string_above_max_length',
  );
}

/** Chat Completions' complaints about a body, in its wording; the first one is the answer. */
export function* completionsComplaints(body: JsonObject): Generator<Complaint> {
  if (stringOf(body.model) === '') yield complaint('you must provide a model parameter');
  if (body.messages === undefined) {
    yield complaint("Missing required parameter: 'messages'.", 'messages', 'missing_required_parameter');
  }
  for (const field of Object.keys(body)) {
    if (!COMPLETIONS_FIELDS.has(field)) {
      yield complaint(`Unknown parameter: '${field}'.`, field, 'unknown_parameter');
    }
  }
  if (body.stream_options !== undefined && body.stream_options !== null && body.stream !== true) {
    yield complaint(
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      'stream_options',
    );
  }
  yield* reasoningComplaints(body);
  const tools = objectsOf(body.tools).map((tool) => objectOf(tool.function));
  yield* toolComplaints(body.tools, tools, (index) => `tools[${index}].function`);
  yield* messageComplaints(objectsOf(body.messages));
}

/** The o and gpt-5 models reject parameters that the others accept. */
function* reasoningComplaints(body: JsonObject): Generator<Complaint> {
  const model = stringOf(body.model);
  const reasons = /^o\d/.test(model) || (model.startsWith('gpt-5') && !model.startsWith('gpt-5-chat'));
  if (!reasons) return;
  if (body.max_tokens !== undefined && body.max_tokens !== null) {
    yield complaint(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'max_tokens',
      'unsupported_parameter',
    );
  }
  if (typeof body.temperature === 'number' && body.temperature !== 1) {
    yield complaint(
      `Unsupported value: 'temperature' does not support ${body.temperature} with this model. Only the default (1) value is supported.`,
      'temperature',
      'unsupported_value',
    );
  }
}

/** Rules for function tools, shared by both APIs; `at` names the place of the function with that index. */
export function* toolComplaints(
  given: Json | undefined,
  functions: JsonObject[],
  at: (index: number) => string,
): Generator<Complaint> {
  if (Array.isArray(given) && given.length === 0) yield emptyArray('tools');
  if (functions.length > MAX_TOOLS) {
    yield complaint(
      `Invalid 'tools': array too long. Expected an array with maximum length ${MAX_TOOLS}, but got an array with length ${functions.length} instead.`,
      'tools',
      'array_above_max_length',
    );
  }
  for (const [index, tool] of functions.entries()) {
    const param = `${at(index)}.name`;
    const name = stringOf(tool.name);
    if (name.length > MAX_NAME_LENGTH) yield tooLong(param, MAX_NAME_LENGTH, name.length);
    if (!NAME.test(name)) {
      yield complaint(
        `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '${NAME.source}'.`,
        param,
        'invalid_value',
      );
    }
    const { parameters } = tool;
    if (parameters !== undefined && parameters !== null && objectOf(parameters).type !== 'object') {
      const type = JSON.stringify(objectOf(parameters).type ?? 'None');
      yield complaint(
        `Invalid schema for function '${name}': schema must be a JSON Schema of 'type: "object"', got 'type: ${type}'.`,
        `${at(index)}.parameters`,
        'invalid_function_parameters',
      );
    }
    for (const path of listsWithoutItems(objectOf(parameters))) {
      yield complaint(
        `Invalid schema for function '${name}': In context=(${path.map((step) => `'${step}'`).join(', ')}), array schema missing items.`,
        `${at(index)}.parameters`,
        'invalid_function_parameters',
      );
    }
  }
}

/** The paths of the lists in a schema that do not say what they hold. */
function* listsWithoutItems(schema: JsonObject, path: string[] = []): Generator<string[]> {
  if (schema.type === 'array' && schema.items === undefined) yield path;
  for (const [name, one] of Object.entries(objectOf(schema.properties)))
    yield* listsWithoutItems(objectOf(one), [...path, 'properties', name]);
  if (isObject(schema.items)) yield* listsWithoutItems(schema.items, [...path, 'items']);
}

function* messageComplaints(messages: JsonObject[]): Generator<Complaint> {
  if (messages.length === 0) yield emptyArray('messages');
  /** Calls of the previous assistant message without a tool message so far; undefined if there is no such message. */
  let open: { ids: string[]; all: string[] } | undefined;
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`;
    const role = stringOf(message.role);
    if (!ROLES.includes(role)) {
      yield complaint(
        `Invalid value: '${role}'. Supported values are: ${ROLES.slice(0, -1)
          .map((known) => `'${known}'`)
          .join(', ')}, and 'developer'.`,
        `${at}.role`,
        'invalid_value',
      );
    }
    yield* contentComplaints(at, message);
    if (role === 'tool') {
      const id = stringOf(message.tool_call_id);
      if (open === undefined) {
        yield complaint(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          `${at}.role`,
        );
      }
      if (id === '') {
        yield complaint(
          `Missing required parameter: '${at}.tool_call_id'.`,
          `${at}.tool_call_id`,
          'missing_required_parameter',
        );
      }
      if (open?.all.includes(id) === false) {
        yield complaint(
          `Invalid parameter: 'tool_call_id' of '${id}' not found in 'tool_calls' of previous message.`,
          `${at}.tool_call_id`,
        );
      }
      if (open !== undefined) open.ids = open.ids.filter((waiting) => waiting !== id);
      continue;
    }
    yield* unanswered(open?.ids ?? [], `messages.[${index}].role`);
    open = undefined;
    if (message.tool_calls === undefined || message.tool_calls === null) continue;
    const calls = objectsOf(message.tool_calls);
    if (calls.length === 0) yield emptyArray(`${at}.tool_calls`);
    yield* callComplaints(at, calls);
    const ids = calls.map((call) => stringOf(call.id));
    open = { ids, all: ids };
  }
  yield* unanswered(open?.ids ?? [], `messages.[${messages.length}].role`);
}

function* unanswered(ids: string[], param: string): Generator<Complaint> {
  if (ids.length === 0) return;
  yield complaint(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids.join(', ')}`,
    param,
  );
}

function* callComplaints(at: string, calls: JsonObject[]): Generator<Complaint> {
  for (const [index, call] of calls.entries()) {
    const param = `${at}.tool_calls[${index}]`;
    const id = stringOf(call.id);
    if (id === '') {
      yield complaint(
        `Missing required parameter: '${param}.id'.`,
        `${param}.id`,
        'missing_required_parameter',
      );
    }
    if (id.length > MAX_ID_LENGTH) yield tooLong(`${param}.id`, MAX_ID_LENGTH, id.length);
    const { arguments: args, name } = objectOf(call.function);
    if (!NAME.test(stringOf(name))) {
      yield complaint(
        `Invalid '${param}.function.name': string does not match pattern. Expected a string that matches the pattern '${NAME.source}'.`,
        `${param}.function.name`,
        'invalid_value',
      );
    }
    if (typeof args !== 'string') {
      yield complaint(
        `Invalid type for '${param}.function.arguments': expected a string, but got an object instead.`,
        `${param}.function.arguments`,
        'invalid_type',
      );
    }
  }
}

function* contentComplaints(at: string, message: JsonObject): Generator<Complaint> {
  const { content } = message;
  const mayLack =
    message.role === 'assistant' && (message.tool_calls !== undefined || message.refusal !== undefined);
  if ((content === undefined || content === null) && !mayLack) {
    yield complaint(`Invalid value for 'content': expected a string, got null.`, `${at}.content`);
  }
  if (Array.isArray(content) && content.length === 0) yield emptyArray(`${at}.content`);
  for (const [index, part] of objectsOf(content).entries()) {
    const allowed =
      message.role === 'user' ? ['text', 'image_url', 'input_audio', 'file'] : ['text', 'refusal'];
    if (!allowed.includes(stringOf(part.type))) {
      const param = `${at}.content[${index}].type`;
      const values = allowed.map((type) => `'${type}'`).join(', ');
      yield complaint(
        `Invalid value: '${stringOf(part.type)}'. Supported values are: ${values}.`,
        param,
        'invalid_value',
      );
    }
    const wrong =
      part.type === 'image_url'
        ? openaiImage(stringOf(objectOf(part.image_url).url))
        : part.type === 'file'
          ? openaiFile(stringOf(objectOf(part.file).filename), stringOf(objectOf(part.file).file_data))
          : null;
    if (wrong !== null) yield complaint(wrong, `${at}.content[${index}]`, 'invalid_value');
  }
}

/** Arguments of an earlier call as an object. Scripts see anything else as no arguments. */
export function argsOf(json: Json | undefined): JsonObject {
  const value = parseJson(stringOf(json));
  return isObject(value) ? value : {};
}

/** An accepted Chat Completions body as scripts see it. */
export function normalizeCompletions(body: JsonObject): NormalizedRequest {
  const names = new Map<string, string>();
  const messages: NormalizedMessage[] = [];
  const system: string[] = [];
  for (const message of objectsOf(body.messages)) {
    const text = textOf(message.content);
    if (message.role === 'system' || message.role === 'developer') system.push(text);
    else if (message.role === 'user') messages.push({ role: 'user', text });
    else if (message.role === 'assistant') {
      const calls = objectsOf(message.tool_calls).map((call) => {
        const { name, arguments: args } = objectOf(call.function);
        return { id: stringOf(call.id), name: stringOf(name), args: argsOf(args) };
      });
      for (const call of calls) names.set(call.id, call.name);
      messages.push({ role: 'assistant', text, calls });
    } else {
      const id = stringOf(message.tool_call_id);
      addResult(messages, { id, name: names.get(id) ?? '', content: text, isError: false });
    }
  }
  return normalized({
    model: stringOf(body.model),
    system: system.join('\n\n'),
    messages,
    tools: objectsOf(body.tools)
      .map((tool) => objectOf(tool.function))
      .map((tool) => ({
        name: stringOf(tool.name),
        description: stringOf(tool.description),
        schema: objectOf(tool.parameters),
      })),
  });
}

/** Scripts see consecutive results as one message, as in Anthropic's format. */
export function addResult(
  messages: NormalizedMessage[],
  result: { id: string; name: string; content: string; isError: boolean },
): void {
  const last = messages.at(-1);
  if (last?.role === 'tool') last.results.push(result);
  else messages.push({ role: 'tool', results: [result] });
}
