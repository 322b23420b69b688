import {
  anyObject,
  anyText,
  anything,
  type Check,
  either,
  flag,
  func,
  listOf,
  mustBe,
  objectWith,
  recordOf,
  text,
  withMethod,
} from '../../base/check-options';
import { rulesCheck } from '../backends/policy/permissions';

// What the options of agents, sub-agents and middleware take. Values that the published package accepts are accepted.

const isClass = (value: unknown) => typeof value === 'function' && /^class\b/.test(String(value));

/** A chat model or its name. */
export const modelCheck: Check = either(
  mustBe('a chat model, or its name such as "anthropic:claude-sonnet-4-6"', () => false),
  text,
  withMethod('a model', 'invoke'),
);

/** Any of the protocols, or the deprecated factory. A class is neither. */
export const backendCheck: Check = either(
  mustBe('a backend, such as new StateBackend()', () => false),
  withMethod('a backend', 'read', 'readRaw', 'ls', 'lsInfo', 'downloadFiles', 'execute'),
  mustBe('a factory', (value) => typeof value === 'function' && !isClass(value)),
);

/** Tools of LangChain, and those that a provider runs. */
export const toolsCheck: Check = listOf(
  either(
    mustBe('a tool. To limit tools by name, use toolNames of a sub-agent, or a profile', () => false),
    anyObject,
    func,
  ),
  'tools',
);

/** `false` comes from `condition && middleware`. */
export const middlewareCheck: Check = listOf(
  mustBe(
    'middleware with a name',
    (value) =>
      value === false ||
      (typeof value === 'object' && value !== null && typeof (value as { name?: unknown }).name === 'string'),
  ),
  'middleware',
);

const isMessage = (value: unknown) =>
  typeof value === 'object' && value !== null && ('getType' in value || '_getType' in value);
const promptPart = either(mustBe('a text or a SystemMessage', isMessage), anyText);

/** A whole prompt. */
export const promptCheck: Check = promptPart;
/** A whole prompt, or its parts. */
export const promptPartsCheck: Check = (value, path) =>
  promptPart(value, path) === undefined
    ? undefined
    : typeof value === 'object'
      ? objectWith({ prefix: promptPart, base: promptPart, suffix: promptPart })(value, path)
      : promptPart(value, path);

/** A schema or a strategy. LangChain checks the rest. */
export const formatCheck: Check = mustBe(
  'a schema, or a strategy of LangChain',
  (value) => (typeof value === 'object' && value !== null) || typeof value === 'function',
);
export const schemaCheck: Check = mustBe(
  'a schema',
  (value) => (typeof value === 'object' && value !== null) || typeof value === 'function',
);

const DECISIONS: readonly unknown[] = ['approve', 'edit', 'reject', 'respond'];

/** A thread would wait forever for a decision that nobody can make. */
const decisionsCheck: Check = (value, path) =>
  Array.isArray(value) && value.length > 0 && value.every((one) => DECISIONS.includes(one))
    ? undefined
    : `${path} is ${JSON.stringify(value)}: give one or more of ${DECISIONS.join(', ')}.`;

const interruptOnConfig = objectWith({
  allowedDecisions: decisionsCheck,
  description: either(
    mustBe('a text or a function', () => false),
    anyText,
    func,
  ),
  argsSchema: anyObject,
  when: func,
});
const asksAbout: Check = (value, path) =>
  typeof value === 'boolean'
    ? undefined
    : typeof value === 'object' && value !== null
      ? interruptOnConfig(value, path)
      : mustBe('true, false or a configuration', () => false)(value, path);

/** By tool, when to ask. */
export const interruptOnCheck: Check = recordOf(
  asksAbout,
  'names of tools, each with true, false or a configuration',
);

/** Paths in a backend. */
export const pathsCheck: Check = listOf(text, 'paths');
/** Names of tools. */
const toolNamesCheck: Check = listOf(text, 'names of tools');
/** Files of instructions. */
export const memoryCheck: Check = listOf(
  either(
    mustBe('a path, or { path, load } or { path, muted }', () => false),
    text,
    objectWith({ path: text, load: func, muted: flag }, ['path']),
  ),
  'paths',
);

const url = mustBe('an address such as https://agents.example.com', (value) => URL.canParse(String(value)));
const named = { name: text, description: anyText };

const subAgentFields = {
  ...named,
  systemPrompt: promptCheck,
  // Has an error of its own, with the name of the sub-agent.
  mode: anything,
  tools: toolsCheck,
  model: modelCheck,
  middleware: middlewareCheck,
  interruptOn: interruptOnCheck,
  skills: pathsCheck,
  responseFormat: formatCheck,
  permissions: rulesCheck,
  toolNames: toolNamesCheck,
};
const compiledFields = {
  ...named,
  mode: anything,
  runnable: withMethod('an agent, a graph, or anything else with invoke', 'invoke'),
};
/** The names of the options of a sub-agent that works on a server. */
export const asyncSubAgentCheck: Check = objectWith(
  { ...named, graphId: text, url, headers: recordOf(anyText, 'texts') },
  ['name', 'description', 'graphId'],
);

/** A sub-agent in each of its forms, by the field that only one has. */
export const subAgentCheck: Check = (value, path) => {
  const has = (field: string) => typeof value === 'object' && value !== null && field in value;
  if (has('graphId')) return asyncSubAgentCheck(value, path);
  return has('runnable')
    ? objectWith(compiledFields, ['name', 'description', 'runnable'])(value, path)
    : objectWith(subAgentFields, ['name', 'description'])(value, path);
};
