/** The agent that something happens in: null for the thread's own, else the `task` call that started a sub-agent. */
export type AgentRef = { callId: string; name: string } | null;
