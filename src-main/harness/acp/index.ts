/** Serves an agent to editors over the Agent Client Protocol. */
export * from './host';
export { createAcpAgent } from './server';
export { changeOf, codeContent, describeCall, textContent } from './tool-call';
