import type { AgentMiddleware } from 'langchain';

/** A profile names a tool that the agent does not have. The tool that it should block might still be available. */
export class ProfileError extends Error {
  override readonly name = 'ProfileError';
}

export const toolNames = (middleware: readonly AgentMiddleware[]): string[] =>
  middleware.flatMap((one) => (one.tools ?? []).map(nameOf));

const nameOf = (tool: { name?: unknown }): string => (typeof tool.name === 'string' ? tool.name : '');

/** Copies a tool with another description. Agents share tools, so a tool is never changed in place. */
export function describedAs<T extends object>(tool: T, description: string | undefined): T {
  if (description === undefined) return tool;
  return Object.assign(Object.create(Object.getPrototypeOf(tool)), tool, { description });
}
