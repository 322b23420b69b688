import type { OutsideSource } from '../contract/shared/outside-source';

/** A tool call as it reaches the gate. */
export interface GateCall {
  callId: string;
  tool: string;
  args: Record<string, unknown>;
  /** Name of the calling sub-agent; absent for the thread's main agent. */
  agent?: string;
  /** Identity of the server of an external tool. */
  server?: string;
  /** Where text from outside in the agent's context came from. */
  outside?: readonly OutsideSource[];
}
