import type { StructuredToolInterface } from '@langchain/core/tools';
import type { McpServer } from '../../contract/mcp';

/** A tool of a turn with its server. */
export interface TurnTool {
  tool: StructuredToolInterface;
  server: string;
  scope: McpServer['scope'];
  /** Digest of the server's source and configuration: a rule applies only to this server. */
  serverIdentity: string;
  saysReadOnly: boolean;
  saysDestructive: boolean;
  /** The server's configuration and the tool's description as text: an answer applies only to this tool. */
  identity: string;
  /** The server and its listed tool. When either is another object, anything derived from them is out of date. */
  from: readonly [server: object, listed: object];
}
