import type { McpServer } from '@agentclientprotocol/sdk';

/** A server in the form that `MultiServerMCPClient` of `@langchain/mcp-adapters` takes. */
export type McpConnection =
  | {
      /** A program on this machine. */
      transport: 'stdio';
      /** The program. It is not a shell command line. */
      command: string;
      args: string[];
      /** Environment variables that the editor sets for it. */
      env: Record<string, string>;
    }
  | {
      /** `http`: Streamable HTTP. `sse`: the older transport of MCP with server-sent events. */
      transport: 'http' | 'sse';
      url: string;
      /** Sent with each request. They may contain credentials. */
      headers: Record<string, string>;
    };

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
