import { type SystemMessage, ToolMessage } from '@langchain/core/messages';
import { type AgentMiddleware, createMiddleware } from 'langchain';
import { BUILT_IN_TOOLS } from '../built-in-tools';
import { describedAs, ProfileError, toolNames } from '../profile';
import { partsOfPrompt, type SystemPromptInput, systemPromptOf } from '../system-prompt';
import type { HarnessProfile } from './profile';

/** Names of tools that a profile may exclude even if an agent does not have them. */
const BUILT_IN = new Set(BUILT_IN_TOOLS.map(({ name }) => name));

/** The prompt with the profile's suffix, and the profile's base if it has none. */
export function promptWith(
  profile: HarnessProfile,
  prompt: SystemPromptInput | undefined,
): string | SystemMessage | undefined {
  const { prefix, base, suffix } = partsOfPrompt(prompt);
  const whole = systemPromptOf({ prefix, base: base ?? profile.baseSystemPrompt, suffix });
  return systemPromptOf({ prefix: whole, suffix: profile.systemPromptSuffix });
}

/**
 * Applies a profile to an agent's middleware: tool descriptions, exclusions, and last the layer that blocks excluded tools.
 * Throws `ProfileError` if an exclusion matches nothing, since what it should block might still be available.
 */
export function middlewareWith(
  profile: HarnessProfile,
  middleware: readonly AgentMiddleware[],
  tools: readonly { name: string }[],
): AgentMiddleware[] {
  const { excludedMiddleware, excludedTools, toolDescriptionOverrides } = profile;
  const absent = [...excludedMiddleware].filter((name) => !middleware.some((one) => one.name === name));
  if (absent.length > 0)
    throw new ProfileError(
      `There is no middleware named ${absent.join(', ')}; there are ${middleware.map(({ name }) => name).join(', ')}.`,
    );
  // Most profiles change nothing, and an agent is made for each turn.
  if (excludedMiddleware.size + excludedTools.size + Object.keys(toolDescriptionOverrides).length === 0)
    return [...middleware];
  const known = new Set([...toolNames(middleware), ...tools.map(({ name }) => name), ...BUILT_IN]);
  const strangers = [...excludedTools].filter((name) => !known.has(name));
  if (strangers.length > 0)
    throw new ProfileError(
      `There is no tool named ${strangers.join(', ')}; there are ${[...known].join(', ')}.`,
    );
  const kept = middleware
    .filter((one) => !excludedMiddleware.has(one.name))
    .map((one) => withTools(one, (tools) => describedTools(profile, tools)));
  return excludedTools.size === 0 ? kept : [...kept, exclusionOf(excludedTools)];
}

type MiddlewareTools = NonNullable<AgentMiddleware['tools']>;

/**
 * The middleware with other tools; itself if they are the same. Its hooks still run on the middleware itself: a copy of a class's
 * object has neither its private fields nor what it counts later.
 */
export function withTools(
  middleware: AgentMiddleware,
  change: (tools: MiddlewareTools) => MiddlewareTools,
): AgentMiddleware {
  const { tools: given } = middleware;
  if (given === undefined) return middleware;
  const tools = change(given);
  if (tools.length === given.length && tools.every((tool, at) => tool === given[at])) return middleware;
  return new Proxy(middleware, {
    get: (target, key) => {
      if (key === 'tools') return tools;
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** The tools that a profile keeps, with its descriptions. */
export const describedTools = <T extends { name?: unknown }>(
  { excludedTools, toolDescriptionOverrides }: HarnessProfile,
  tools: readonly T[],
): T[] =>
  tools.flatMap((tool) => {
    const { name } = tool;
    if (typeof name !== 'string') return [tool];
    return excludedTools.has(name) ? [] : [describedAs(tool, toolDescriptionOverrides[name])];
  });

/** Innermost, so that it sees the tools that other middleware adds during a request. */
const toolFilter = (name: string, isOffered: (tool: string) => boolean): AgentMiddleware =>
  createMiddleware({
    name,
    wrapModelCall: (request, handler) =>
      handler({
        ...request,
        tools: request.tools.filter((tool) => typeof tool.name !== 'string' || isOffered(tool.name)),
      }),
    wrapToolCall: (request, handler) => {
      const { name, id = '' } = request.toolCall;
      if (isOffered(name)) return handler(request);
      const content = `Error: ${name} is not available.`;
      return new ToolMessage({ content, tool_call_id: id, name, status: 'error' });
    },
  });

const exclusionOf = (excluded: ReadonlySet<string>): AgentMiddleware =>
  toolFilter('toolExclusion', (tool) => !excluded.has(tool));

/** Offers only these tools, also if other middleware adds more. */
export const limitTools = (names: ReadonlySet<string>): AgentMiddleware =>
  toolFilter('toolLimit', (tool) => names.has(tool));
