import type { AgentMiddleware } from 'langchain';
import type { Profile } from '../../contract/shared/profile';

/** A profile names a tool that the agent does not have: what it was meant to keep away could still be there. */
export class ProfileError extends Error {
  override readonly name = 'ProfileError';
}

type ToolPart = Pick<Profile, 'toolDescriptions' | 'excludedTools'>;

/**
 * The middleware with the profile's tools: what is excluded is not there at all, so that a call of it is answered so.
 * Throws `ProfileError` where a name matches none of the tools here, nor of those in `besides`.
 */
export function withProfile(
  middleware: readonly AgentMiddleware[],
  { toolDescriptions = {}, excludedTools = [] }: ToolPart,
  besides: readonly string[] = [],
): AgentMiddleware[] {
  const names = new Set([...toolNames(middleware), ...besides]);
  const strangers = [...excludedTools, ...Object.keys(toolDescriptions)].filter((name) => !names.has(name));
  if (strangers.length > 0) {
    throw new ProfileError(
      `There is no tool named ${strangers.join(', ')}; there are ${[...names].join(', ')}.`,
    );
  }
  const excluded = new Set(excludedTools);
  return middleware.map((one) =>
    one.tools === undefined
      ? one
      : {
          ...one,
          tools: one.tools
            .filter((tool) => !excluded.has(nameOf(tool)))
            .map((tool) => describedAs(tool, toolDescriptions[nameOf(tool)])),
        },
  );
}

export const toolNames = (middleware: readonly AgentMiddleware[]): string[] =>
  middleware.flatMap((one) => (one.tools ?? []).map(nameOf));

const nameOf = (tool: { name?: unknown }): string => (typeof tool.name === 'string' ? tool.name : '');

/** The same tool under another description; tools are shared between agents, so it is never changed in place. */
export function describedAs<T extends object>(tool: T, description: string | undefined): T {
  if (description === undefined) return tool;
  return Object.assign(Object.create(Object.getPrototypeOf(tool)), tool, { description });
}
