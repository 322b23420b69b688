/** A web page by its host, or an external tool by its server. */
export interface OutsideSource {
  kind: 'page' | 'server';
  name: string;
}

/** A tool call as it reaches the gate. */
export interface GateCall {
  callId: string;
  tool: string;
  args: Record<string, unknown>;
  /** Name of the calling sub-agent; absent for the thread's main agent. */
  agent?: string;
  /** Where text from outside in the agent's context came from. */
  outside?: readonly OutsideSource[];
}
