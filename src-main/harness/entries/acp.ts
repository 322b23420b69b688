// `@deepdesk/harness/acp`: editors that host an agent by the Agent Client Protocol.
export { type DeepAgentHostOptions, deepAgentHost } from '../acp/deep-agent';
export * from '../acp/host';
export { createAcpAgent } from '../acp/server';
