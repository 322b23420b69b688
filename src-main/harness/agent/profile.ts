import type { AgentMiddleware } from 'langchain';

/** A profile names a tool that the agent does not have: what it was meant to keep away could still be there. */
export class ProfileError extends Error {
  override readonly name = 'ProfileError';
}

export const toolNames = (middleware: readonly AgentMiddleware[]): string[] =>
  middleware.flatMap((one) => (one.tools ?? []).map(nameOf));

const nameOf = (tool: { name?: unknown }): string => (typeof tool.name === 'string' ? tool.name : '');

/** The same tool under another description; tools are shared between agents, so it is never changed in place. */
export function describedAs<T extends object>(tool: T, description: string | undefined): T {
  if (description === undefined) return tool;
  return Object.assign(Object.create(Object.getPrototypeOf(tool)), tool, { description });
}
