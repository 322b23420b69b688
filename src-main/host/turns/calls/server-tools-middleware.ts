import { type AgentMiddleware, createMiddleware } from 'langchain';
import type { ServerTools } from './server-tools';

/**
 * The tools of MCP servers, as they are at each request. LangChain registers tools once for an agent, so tools that were
 * added later are only part of requests.
 */
export function createServerToolsMiddleware(servers: ServerTools): AgentMiddleware {
  const registered = new Map(servers.now.map(({ tool }) => [tool.name, tool]));
  return createMiddleware({
    name: 'serverTools',
    tools: [...registered.values()],
    wrapModelCall: async (request, handler) => {
      await servers.refresh(request.runtime.signal ?? new AbortController().signal);
      const names = new Set(servers.now.map(({ tool }) => tool.name));
      const added = servers.now.filter(({ tool }) => !registered.has(tool.name));
      const isGone = (name: unknown) => registered.has(String(name)) && !names.has(String(name));
      if (added.length === 0 && !request.tools.some(({ name }) => isGone(name))) return handler(request);
      return handler({
        ...request,
        tools: [...request.tools.filter(({ name }) => !isGone(name)), ...added.map(({ tool }) => tool)],
      });
    },
  });
}

/** Finds the tool of each call, for everything inside: LangChain does not know those that were added later. */
export const createServerCallsMiddleware = (servers: ServerTools): AgentMiddleware =>
  createMiddleware({
    name: 'serverCalls',
    wrapToolCall: (request, handler) => {
      const found = servers.now.find(({ tool }) => tool.name === request.toolCall.name);
      return handler(found === undefined ? request : { ...request, tool: found.tool });
    },
  });
