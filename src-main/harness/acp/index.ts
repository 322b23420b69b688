/** Serves an agent to editors over the Agent Client Protocol. */
export * from './host';
export { createAcpAgent } from './server';
export { changeOf, describeCall, textContent } from './tool-call';
