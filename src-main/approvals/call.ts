/** A tool call as it reaches the gate. */
export interface GateCall {
  callId: string;
  tool: string;
  args: Record<string, unknown>;
  /** Name of the calling sub-agent; absent for the thread's main agent. */
  agent?: string;
}
