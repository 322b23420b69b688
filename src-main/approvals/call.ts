/** A tool call as it comes to the gate. */
export interface GateCall {
  callId: string;
  tool: string;
  args: Record<string, unknown>;
  /** Name of the sub-agent that calls; absent for the thread's own agent. */
  agent?: string;
}
