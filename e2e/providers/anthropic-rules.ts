import { createHash } from 'node:crypto';
import { isObject, type Json, type JsonObject, objectOf, objectsOf, stringOf, textOf } from './json';
import { anthropicMedia } from './media-rules';
import type { CachePart } from './prefix-cache';
import { type NormalizedMessage, type NormalizedRequest, type NormalizedResult, normalized } from './script';

const TOP_LEVEL = new Set(
  `model messages max_tokens metadata stop_sequences stream system temperature thinking tool_choice tools top_k top_p
   service_tier container context_management mcp_servers output_config output_format inference_geo cache_control
   speed user_profile_id diagnostics fallbacks`.split(/\s+/),
);

/** Fields that the service accepts per block type; unlisted block types are not checked. */
const BLOCK_FIELDS: Readonly<Record<string, readonly string[]>> = {
  text: ['type', 'text', 'cache_control', 'citations'],
  image: ['type', 'source', 'cache_control'],
  document: ['type', 'source', 'title', 'context', 'citations', 'cache_control'],
  thinking: ['type', 'thinking', 'signature', 'cache_control'],
  redacted_thinking: ['type', 'data', 'cache_control'],
  tool_use: ['type', 'id', 'name', 'input', 'caller', 'cache_control'],
  tool_result: ['type', 'tool_use_id', 'content', 'is_error', 'cache_control'],
};

const ID = /^[a-zA-Z0-9_-]+$/;
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;

/** The signature of this server for a thinking block. The block must come back unchanged. */
export function signatureOf(thinking: string): string {
  return createHash('sha256').update(thinking).digest('base64');
}

/** The Messages API's complaints about a body, in its wording; the first one is the answer. */
export function* complaints(body: JsonObject): Generator<string> {
  if (stringOf(body.model) === '') yield 'model: Field required';
  if (body.max_tokens === undefined) yield 'max_tokens: Field required';
  if (!Number.isInteger(body.max_tokens)) yield 'max_tokens: Input should be a valid integer';
  if (Number(body.max_tokens) < 1) yield 'max_tokens: Input should be greater than or equal to 1';
  if (!Array.isArray(body.messages)) yield 'messages: Field required';
  for (const field of Object.keys(body)) {
    if (!TOP_LEVEL.has(field)) yield `${field}: Extra inputs are not permitted`;
  }
  yield* toolComplaints(objectsOf(body.tools));
  if (typeof body.system !== 'string') yield* emptyTexts('system', objectsOf(body.system));
  yield* messageComplaints(objectsOf(body.messages));
  yield* markComplaints(body);
}

const MAX_MARKS = 4;

function* markComplaints(body: JsonObject): Generator<string> {
  const parts = cacheParts(body);
  const marks = parts.filter((part) => part.isMarked).length;
  if (marks > MAX_MARKS) {
    yield `A maximum of ${MAX_MARKS} blocks with cache_control may be provided. Found ${marks}.`;
  }
  for (const [index, message] of objectsOf(body.messages).entries()) {
    for (const [place, block] of objectsOf(message.content).entries()) {
      const at = `messages.${index}.content.${place}`;
      if (block.cache_control === undefined) continue;
      if (block.type === 'thinking' || block.type === 'redacted_thinking') {
        yield `${at}.${block.type}.cache_control: Extra inputs are not permitted`;
      }
      if (block.type === 'text' && block.text === '') {
        yield `${at}.text: cache_control cannot be set for empty text blocks`;
      }
    }
  }
  const thinks = ['enabled', 'adaptive'].includes(stringOf(objectOf(body.thinking).type));
  if (thinks && ['any', 'tool'].includes(stringOf(objectOf(body.tool_choice).type))) {
    yield 'Thinking may not be enabled when tool_choice forces tool use.';
  }
}

/** The input of the prompt cache, in order: tools, system, messages. */
export function cacheParts(body: JsonObject): CachePart[] {
  const blocks = (content: Json | undefined) =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content);
  const part = (where: string, block: JsonObject): CachePart => {
    const { cache_control, ...rest } = block;
    const inner = objectsOf(block.content).some((nested) => nested.cache_control !== undefined);
    return {
      text: `${where} ${JSON.stringify(rest, (key, value) => (key === 'cache_control' ? undefined : value))}`,
      isMarked: cache_control !== undefined || inner,
    };
  };
  const parts = [
    ...objectsOf(body.tools).map((tool) => part('tool', tool)),
    ...blocks(body.system).map((block) => part('system', block)),
    ...objectsOf(body.messages).flatMap((message) =>
      blocks(message.content).map((block) => part(stringOf(message.role), block)),
    ),
  ];
  const last = parts.at(-1);
  if (body.cache_control !== undefined && body.cache_control !== null && last !== undefined) {
    last.isMarked = true;
  }
  return parts;
}

function* toolComplaints(tools: JsonObject[]): Generator<string> {
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    // Tools that run on Anthropic's side have a dated type and no schema.
    if (tool.type !== undefined && tool.type !== 'custom') continue;
    const name = stringOf(tool.name);
    if (!TOOL_NAME.test(name)) {
      yield `tools.${index}.custom.name: String should match pattern '${TOOL_NAME.source}'`;
    }
    if (names.has(name)) yield 'tools: Tool names must be unique.';
    names.add(name);
    if (!isObject(tool.input_schema)) yield `tools.${index}.custom.input_schema: Field required`;
    const type = objectOf(tool.input_schema).type;
    if (type === undefined) yield `tools.${index}.custom.input_schema.type: Field required`;
    if (type !== 'object') yield `tools.${index}.custom.input_schema.type: Input should be 'object'`;
  }
}

function* messageComplaints(messages: JsonObject[]): Generator<string> {
  if (messages.length === 0) yield 'messages: at least one message is required';
  for (const [index, message] of messages.entries()) {
    const at = `messages.${index}`;
    if (message.role === 'system') {
      yield 'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.';
    }
    if (message.role !== 'user' && message.role !== 'assistant') {
      yield `${at}.role: Input should be 'user' or 'assistant'`;
    }
    for (const field of Object.keys(message)) {
      if (field !== 'role' && field !== 'content') yield `${at}.${field}: Extra inputs are not permitted`;
    }
    yield* contentComplaints(at, message, index === messages.length - 1);
  }
  const merged = merge(messages);
  if (merged[0]?.role !== 'user') yield 'messages: first message must use the "user" role';
  yield* pairingComplaints(merged);
  const last = merged.at(-1);
  if (last?.role === 'assistant' && /\s$/.test(stringOf(last.blocks.at(-1)?.text))) {
    yield 'messages: final assistant content cannot end with trailing whitespace';
  }
}

function* contentComplaints(at: string, message: JsonObject, last: boolean): Generator<string> {
  const { content } = message;
  if (content === undefined || content === null) yield `${at}.content: Field required`;
  if (typeof content !== 'string' && !Array.isArray(content))
    yield `${at}.content: Input should be a valid list`;
  const isEmpty = content === '' || (Array.isArray(content) && content.length === 0);
  if (isEmpty && !(last && message.role === 'assistant')) {
    yield `${at}: all messages must have non-empty content except for the optional final assistant message`;
  }
  const blocks = objectsOf(content);
  for (const [index, block] of blocks.entries()) {
    const type = stringOf(block.type);
    const here = `${at}.content.${index}`;
    if (type === '') yield `${here}.type: Field required`;
    for (const field of Object.keys(block)) {
      const known = BLOCK_FIELDS[type];
      if (known !== undefined && !known.includes(field)) {
        yield `${here}.${type}.${field}: Extra inputs are not permitted`;
      }
    }
    if (type === 'tool_use') {
      if (message.role !== 'assistant')
        yield `${here}: \`tool_use\` blocks can only be in \`assistant\` messages`;
      if (!ID.test(stringOf(block.id)))
        yield `${here}.tool_use.id: String should match pattern '${ID.source}'`;
      if (!TOOL_NAME.test(stringOf(block.name))) {
        yield `${here}.tool_use.name: String should match pattern '${TOOL_NAME.source}'`;
      }
      if (!isObject(block.input)) yield `${here}.tool_use.input: Input should be a valid dictionary`;
    }
    if (type === 'tool_result' && message.role !== 'user') {
      yield `${here}: \`tool_result\` blocks can only be in \`user\` messages`;
    }
    if (type === 'thinking') {
      if (stringOf(block.signature) === '') yield `${here}.thinking.signature: Field required`;
      if (block.signature !== signatureOf(stringOf(block.thinking))) {
        yield `${here}: Invalid \`signature\` in \`thinking\` block`;
      }
    }
    if (type === 'tool_result') yield* emptyTexts('messages', objectsOf(block.content));
    yield* anthropicMedia(here, block);
  }
  yield* emptyTexts('messages', blocks);
}

function* emptyTexts(at: string, blocks: JsonObject[]): Generator<string> {
  for (const block of blocks) {
    if (block.type !== 'text') continue;
    if (block.text === '') yield `${at}: text content blocks must be non-empty`;
    if (stringOf(block.text).trim() === '')
      yield `${at}: text content blocks must contain non-whitespace text`;
  }
}

interface Merged {
  role: Json | undefined;
  blocks: JsonObject[];
}

/** The service treats consecutive messages of one role as one turn. */
function merge(messages: JsonObject[]): Merged[] {
  const merged: Merged[] = [];
  for (const { role, content } of messages) {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content);
    const last = merged.at(-1);
    if (last?.role === role) last?.blocks.push(...blocks);
    else merged.push({ role, blocks: [...blocks] });
  }
  return merged;
}

function* pairingComplaints(turns: Merged[]): Generator<string> {
  const seen = new Set<string>();
  let open: string[] = [];
  for (const [index, turn] of turns.entries()) {
    if (turn.role === 'user') {
      // Results must come first in the message: those after a text or image do not count as following immediately.
      const others = turn.blocks.findIndex((block) => block.type !== 'tool_result');
      const results = turn.blocks
        .slice(0, others < 0 ? undefined : others)
        .map((block) => stringOf(block.tool_use_id));
      const missing = open.filter((id) => !results.includes(id));
      if (missing.length > 0) {
        yield `messages.${index - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
      }
      for (const [place, block] of turn.blocks.entries()) {
        if (block.type !== 'tool_result') continue;
        const id = stringOf(block.tool_use_id);
        if (!open.includes(id)) {
          yield `messages.${index}.content.${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
        }
        if (results.indexOf(id) < place) {
          yield `messages.${index}.content.${place}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`;
        }
      }
      open = [];
    } else {
      open = turn.blocks.filter((block) => block.type === 'tool_use').map((block) => stringOf(block.id));
      for (const id of open) {
        if (seen.has(id)) yield 'messages: `tool_use` ids must be unique';
        seen.add(id);
      }
    }
  }
  if (open.length > 0) {
    yield `messages.${turns.length - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
  }
}

/** An accepted body as scripts see it. */
export function normalizeAnthropic(body: JsonObject): NormalizedRequest {
  const names = new Map<string, string>();
  const messages = merge(objectsOf(body.messages)).flatMap(({ role, blocks }): NormalizedMessage[] => {
    const text = textOf(blocks.filter((block) => block.type === 'text'));
    if (role === 'assistant') {
      const calls = blocks
        .filter((block) => block.type === 'tool_use')
        .map((block) => ({
          id: stringOf(block.id),
          name: stringOf(block.name),
          args: objectOf(block.input),
        }));
      for (const call of calls) names.set(call.id, call.name);
      return [{ role: 'assistant', text, calls }];
    }
    const results = blocks
      .filter((block) => block.type === 'tool_result')
      .map((block): NormalizedResult => {
        const id = stringOf(block.tool_use_id);
        return {
          id,
          name: names.get(id) ?? '',
          content: textOf(block.content),
          isError: block.is_error === true,
        };
      });
    const hasOther = blocks.length > results.length;
    return [
      ...(results.length > 0 ? [{ role: 'tool' as const, results }] : []),
      ...(hasOther ? [{ role: 'user' as const, text }] : []),
    ];
  });
  return normalized({
    model: stringOf(body.model),
    system: textOf(body.system),
    messages,
    tools: objectsOf(body.tools).map((tool) => ({
      name: stringOf(tool.name),
      description: stringOf(tool.description),
      schema: objectOf(tool.input_schema),
    })),
  });
}
