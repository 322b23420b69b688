/**
 * A web page by its host, an external tool by its server, a command's download by its host or program, or a file that the
 * person attached or that the thread was imported from, by its name.
 */
export interface OutsideSource {
  kind: 'page' | 'server' | 'download' | 'attachment' | 'import';
  name: string;
  /** Identity of a server: another one may have the same name. */
  id?: string | undefined;
}

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
