import type { McpServer } from '@agentclientprotocol/sdk';

/** A server in the form that `MultiServerMCPClient` of `@langchain/mcp-adapters` takes. */
export type McpConnection =
  | { transport: 'stdio'; command: string; args: string[]; env: Record<string, string> }
  | { transport: 'http' | 'sse'; url: string; headers: Record<string, string> };

/** The editor's MCP servers by name. Of two with one name, the later is used. */
export const mcpConnections = (servers: readonly McpServer[]): Record<string, McpConnection> =>
  Object.fromEntries(servers.map((server) => [server.name, connectionOf(server)]));

function connectionOf(server: McpServer): McpConnection {
  if ('type' in server) return { transport: server.type, url: server.url, headers: recordOf(server.headers) };
  const { command, args, env } = server;
  return { transport: 'stdio', command, args: [...args], env: recordOf(env) };
}

const recordOf = (pairs: readonly { name: string; value: string }[]) =>
  Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
