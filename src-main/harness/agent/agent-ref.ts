/** The agent in which something happens: null for the thread's main agent, else the `task` call that started a sub-agent. */
export type AgentRef = {
  /** The id of the `task` call. */
  callId: string;
  /** The sub-agent's name. */
  name: string;
} | null;
