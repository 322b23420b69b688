import { createHash } from 'node:crypto';
import { isObject, type Json, type JsonObject, objectOf, objectsOf, stringOf } from './json';
import { googleMedia } from './media-rules';
import { type NormalizedMessage, type NormalizedRequest, normalized } from './script';

/** Schema fields that the service knows; any other field makes it reject the request. */
const SCHEMA_FIELDS = new Set(
  `type format title description nullable enum maxItems minItems properties required minProperties maxProperties
   minLength maxLength pattern example anyOf propertyOrdering default items minimum maximum`.split(/\s+/),
);

const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/;

/** The signature of this server for the first call of an answer. The call must come back with it. */
export function signatureOf(name: string, args: object): string {
  return createHash('sha256')
    .update(`${name} ${JSON.stringify(args)}`)
    .digest('base64');
}

/** The service's complaints about a body, in its wording; the first one is the answer. */
export function* complaints(model: string, body: JsonObject): Generator<string> {
  const contents = objectsOf(body.contents);
  if (contents.length === 0) yield '* GenerateContentRequest.contents: contents is not specified\n';
  for (const [index, { role, parts }] of contents.entries()) {
    if (role !== 'user' && role !== 'model' && role !== 'function') {
      yield 'Please use a valid role: user, model.';
    }
    if (objectsOf(parts).length === 0) {
      yield `* GenerateContentRequest.contents[${index}].parts: contents.parts must not be empty.\n`;
    }
    for (const part of objectsOf(parts)) yield* googleMedia(part);
  }
  const declared = objectsOf(body.tools).flatMap((tool) => objectsOf(tool.functionDeclarations));
  for (const [index, tool] of declared.entries()) {
    const at = `tools[0].function_declarations[${index}]`;
    if (!NAME.test(stringOf(tool.name))) {
      yield `* GenerateContentRequest.${at}.name: Invalid function name. Must start with a letter or an underscore.\n`;
    }
    if (isObject(tool.parameters)) yield* schemaComplaints(`${at}.parameters`, tool.parameters);
  }
  const config = objectOf(body.generationConfig);
  if (isObject(config.responseSchema)) {
    yield* schemaComplaints('generation_config.response_schema', config.responseSchema);
  }
  const answersInJson = config.responseMimeType === 'application/json';
  if (answersInJson && declared.length > 0 && !model.startsWith('gemini-3')) {
    yield "Function calling with a response mime type: 'application/json' is unsupported";
  }
  yield* resultComplaints(contents);
  yield* turnComplaints(model, turnsOf(contents));
}

/** The results of parallel calls must be in one content. */
function* resultComplaints(contents: JsonObject[]): Generator<string> {
  for (const [index, { role, parts }] of contents.entries()) {
    const calls = objectsOf(parts).filter((part) => role === 'model' && isObject(part.functionCall));
    const next = objectsOf(contents[index + 1]?.parts).filter((part) => isObject(part.functionResponse));
    if (calls.length > 0 && contents[index + 1] !== undefined && calls.length !== next.length) yield UNEQUAL;
  }
}

const UNEQUAL =
  'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';

/** Fields that the service accepts for one type only. */
const ONLY_FOR: Readonly<Record<string, string>> = {
  enum: 'string',
  properties: 'object',
  required: 'object',
  items: 'array',
};

function* schemaComplaints(at: string, schema: JsonObject): Generator<string> {
  const { type, anyOf, required, properties, items } = schema;
  if (typeof type !== 'string' && anyOf === undefined) yield `* ${at}.type: must be specified.\n`;
  for (const [field, only] of Object.entries(ONLY_FOR)) {
    if (schema[field] !== undefined && type !== only)
      yield `* GenerateContentRequest.${at}.${field}: only allowed for ${only.toUpperCase()} type\n`;
  }
  if (type === 'array' && !isObject(items)) yield `* GenerateContentRequest.${at}.items: missing field.\n`;
  for (const [index, name] of (Array.isArray(required) ? required : []).entries()) {
    if (objectOf(properties)[String(name)] === undefined)
      yield `* GenerateContentRequest.${at}.required[${index}]: property is not defined\n`;
  }
  for (const [index, value] of (Array.isArray(schema.enum) ? schema.enum : []).entries()) {
    if (value === '') yield `* GenerateContentRequest.${at}.enum[${index}]: cannot be empty\n`;
  }
  for (const [field, value] of Object.entries(schema)) {
    if (!SCHEMA_FIELDS.has(field)) {
      yield `Invalid JSON payload received. Unknown name "${field}" at '${at}': Cannot find field.`;
    }
    if (field === 'properties') {
      for (const [name, property] of Object.entries(objectOf(value))) {
        if (isObject(property)) yield* schemaComplaints(`${at}.properties[${name}].value`, property);
      }
    }
    if (field === 'items' && isObject(value)) yield* schemaComplaints(`${at}.items`, value);
    if (field === 'anyOf') {
      for (const [index, one] of objectsOf(value).entries()) {
        yield* schemaComplaints(`${at}.any_of[${index}]`, one);
      }
    }
  }
}

interface Turn {
  role: 'user' | 'model';
  parts: JsonObject[];
}

/** Consecutive contents of one role are one turn. */
function turnsOf(contents: JsonObject[]): Turn[] {
  const turns: Turn[] = [];
  for (const { role, parts } of contents) {
    const side = role === 'model' ? 'model' : 'user';
    const last = turns.at(-1);
    if (last?.role === side) last.parts.push(...objectsOf(parts));
    else turns.push({ role: side, parts: [...objectsOf(parts)] });
  }
  return turns;
}

const callsIn = (turn: Turn | undefined) =>
  turn?.role === 'model' ? turn.parts.filter((part) => isObject(part.functionCall)) : [];
const responsesIn = (turn: Turn | undefined) =>
  turn?.role === 'user' ? turn.parts.filter((part) => isObject(part.functionResponse)) : [];

function* turnComplaints(model: string, turns: Turn[]): Generator<string> {
  if (turns.length > 0 && turns.at(-1)?.role !== 'user') {
    yield 'Please ensure that single turn requests end with a user role or the role field is not set.';
  }
  // Signatures are checked from the last user message on.
  const current = turns.findLastIndex((turn) => turn.role === 'user' && responsesIn(turn).length === 0);
  for (const [index, turn] of turns.entries()) {
    const calls = callsIn(turn);
    const responses = responsesIn(turns[index + 1]);
    if (calls.length > 0 && turns[index - 1]?.role !== 'user') {
      yield 'Please ensure that function call turn comes immediately after a user turn or after a function response turn.';
    }
    if (calls.length !== responses.length && (calls.length > 0 || responses.length > 0)) {
      yield calls.length === 0
        ? 'Please ensure that function response turn comes immediately after a function call turn.'
        : UNEQUAL;
    }
    const [first] = calls;
    if (first !== undefined && index > current) yield* signatureComplaints(model, first);
  }
}

function* signatureComplaints(model: string, part: JsonObject): Generator<string> {
  const { name, args } = objectOf(part.functionCall);
  const { thoughtSignature: given } = part;
  if (given === undefined && model.startsWith('gemini-3')) {
    yield `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${stringOf(name)}\`.`;
  }
  // A signature that is not a digest of this server comes from a client that has lost the original, which the service accepts.
  const isOurs = typeof given === 'string' && given.length === 44;
  if (isOurs && given !== signatureOf(stringOf(name), objectOf(args)))
    yield 'Thought signature is not valid.';
}

/** An accepted body as scripts see it. Calls have no ids in this format: they get ids from their position. */
export function normalizeGoogle(model: string, body: JsonObject): NormalizedRequest {
  const messages: NormalizedMessage[] = [];
  let open: string[] = [];
  for (const [index, turn] of turnsOf(objectsOf(body.contents)).entries()) {
    const text = turn.parts
      .filter((part) => part.thought !== true)
      .map((part) => stringOf(part.text))
      .join('');
    if (turn.role === 'model') {
      const calls = callsIn(turn).map((part, place) => {
        const { name, args } = objectOf(part.functionCall);
        return { id: `${index}.${place}`, name: stringOf(name), args: objectOf(args) };
      });
      open = calls.map((call) => call.id);
      messages.push({ role: 'assistant', text, calls });
      continue;
    }
    const responses = responsesIn(turn);
    if (responses.length > 0) {
      const results = responses.map((part, place) => {
        const { name, response } = objectOf(part.functionResponse);
        const { error, result } = objectOf(response);
        const content = error === undefined ? result : objectOf(error).details;
        return {
          id: open[place] ?? '',
          name: stringOf(name),
          content: wordsOf(content),
          isError: error !== undefined,
        };
      });
      messages.push({ role: 'tool', results });
    }
    if (turn.parts.length > responses.length) messages.push({ role: 'user', text });
  }
  return normalized({
    model,
    system: objectsOf(objectOf(body.systemInstruction).parts)
      .map((part) => stringOf(part.text))
      .join(''),
    messages,
    tools: objectsOf(body.tools)
      .flatMap((tool) => objectsOf(tool.functionDeclarations))
      .map((tool) => ({
        name: stringOf(tool.name),
        description: stringOf(tool.description),
        schema: objectOf(tool.parameters),
      })),
  });
}

const wordsOf = (content: Json | undefined) =>
  typeof content === 'string' ? content : JSON.stringify(content ?? null);
