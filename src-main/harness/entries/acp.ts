// `@deepdesk/harness/acp`: serves an agent to editors over the Agent Client Protocol.
export { type DeepAgentHostOptions, deepAgentHost } from '../acp/deep-agent';
export * from '../acp/host';
export { createAcpAgent } from '../acp/server';
