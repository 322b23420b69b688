/** Serving an agent to editors by the Agent Client Protocol. */
export * from './host';
export { createAcpAgent } from './server';
export { changeOf, describeCall, textContent } from './tool-call';
