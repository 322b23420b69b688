/**
 * `@deepdesk/harness/acp`: serves an agent to editors over the Agent Client Protocol.
 *
 * @module
 */

export { type DeepAgentHostOptions, deepAgentHost } from '../acp/deep-agent';
export { type EditorBackendOptions, withEditorFiles } from '../acp/editor-backend';
export * from '../acp/host';
export { type McpConnection, mcpConnections } from '../acp/mcp-connections';
export { createAcpAgent } from '../acp/server';
export { type TerminalRunnerOptions, terminalRunner } from '../acp/terminal-runner';
