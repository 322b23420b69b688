/** The agent in which something happens: null for the thread's main agent, else the `task` call that started a sub-agent. */
export type AgentRef = { callId: string; name: string } | null;
