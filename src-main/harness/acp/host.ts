import type {
  AvailableCommand,
  McpServer,
  PermissionOption,
  SessionConfigOption,
  SessionInfo,
  SessionModeState,
  SessionUpdate,
  StopReason,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk';

/** The parts of the person's message, in order. */
export type PromptPart =
  | { type: 'text'; text: string }
  /** An embedded file. `data`: base64. */
  | { type: 'file'; name: string; mimeType: string; data: string }
  /** A file or URL that the message names without embedding its content. */
  | { type: 'link'; uri: string; name: string };

/** A question for the person in the editor. */
export interface PermissionQuestion {
  toolCall: ToolCallUpdate;
  options: PermissionOption[];
}

/** The person's side of a session while a prompt runs. */
export interface Editor {
  /** Sends an update. Updates arrive in the order in which they were sent. */
  update(update: SessionUpdate): void;
  /**
   * Resolves with the id of the chosen option, or null if the person cancels the turn. Rejects if the editor disconnects.
   */
  ask(question: PermissionQuestion, signal: AbortSignal): Promise<string | null>;
}

/** The editor's file system. Paths are those of this machine. */
export interface EditorFiles {
  /** The whole text of a file with its unsaved changes. Null if the editor does not have the file. */
  readText(path: string, signal?: AbortSignal): Promise<string | null>;
  /** Replaces the whole text. Rejects if the editor refuses. Absent: the editor takes no changes. */
  writeText?(path: string, text: string, signal?: AbortSignal): Promise<void>;
}

/** A command for a terminal of the editor. */
export interface EditorTerminalOptions {
  command: string;
  args: readonly string[];
  /** Added to the editor's own variables. */
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** The editor drops the start of a longer output. */
  maxOutputBytes: number;
}

/** A command in a terminal of the editor. Calls reject if the editor disconnects. */
export interface EditorTerminal {
  readonly id: string;
  /** Resolves when the command has exited. `exitCode`: null if a signal ended it. */
  exited(): Promise<{ exitCode: number | null }>;
  output(): Promise<{ output: string; truncated: boolean }>;
  kill(): Promise<void>;
  /** Call it once. Kills the command if it still runs. The editor keeps showing the output. */
  release(): Promise<void>;
}

/** What the editor offers to the tools of a session. */
export interface EditorTools {
  /** Absent if the editor does not show its files. */
  files?: EditorFiles;
  /** Opens a terminal in the editor. Rejects if the editor refuses. Absent if it has none for agents. */
  openTerminal?(options: EditorTerminalOptions): Promise<EditorTerminal>;
}

/** One conversation, as an editor sees it. Ids from the editor are untrusted: check every one. */
export interface AcpSession {
  readonly id: string;
  /** Null if the agent has no modes. */
  modes(): SessionModeState | null;
  /** Rejects with `AcpRefusal` if there is no such mode. */
  setMode(modeId: string): Promise<void>;
  /** Other options, such as the model. */
  options(): SessionConfigOption[];
  /** Rejects with `AcpRefusal` if there is no such option or value. */
  setOption(optionId: string, value: string): Promise<void>;
  /** The slash commands that a message can start with. */
  commands(): Promise<AvailableCommand[]>;
  /** The whole conversation so far. */
  history(): SessionUpdate[];
  /**
   * Sends a prompt and resolves when the turn is over. Aborting `signal` stops the turn, and it resolves with `cancelled`.
   * If the reason is an `EditorGone`, nobody waits for the answer, and open questions may wait for the next editor. Rejects
   * with `AcpRefusal` if the turn fails; its message is for the person.
   */
  prompt(parts: readonly PromptPart[], editor: Editor, signal: AbortSignal): Promise<StopReason>;
  /** The editor closed the session or disconnected. The conversation stays and can be loaded again. */
  close(): Promise<void>;
}

/** Where a session works, and what its editor offers. */
export interface SessionPlace {
  /** Absolute path of the working folder. */
  cwd: string;
  /** The MCP servers that the editor asks the agent to use. */
  mcpServers: readonly McpServer[];
  /** Absolute paths of other folders open in the editor. Empty unless the host accepts them. */
  additionalDirectories: readonly string[];
  editor: EditorTools;
}

/** One page of the list of sessions. */
export interface SessionPage {
  sessions: SessionInfo[];
  /** Where the next page starts; absent on the last page. */
  nextCursor?: string;
}

/** What a host can use of that which editors pass with a session. The rest is refused. Default: nothing. */
export interface AcpAccepts {
  /** MCP servers over these transports. Editors may pass `stdio` to every agent, so name all of them or none. */
  mcpServers?: readonly ('stdio' | 'http' | 'sse')[];
  additionalDirectories?: boolean;
}

/** What `createAcpAgent` serves. Methods reject with `AcpRefusal` if they cannot do what was asked. */
export interface AcpHost {
  /** What editors show about the agent. */
  readonly info: { name: string; title: string; version: string };
  readonly accepts?: AcpAccepts;
  /** Starts an empty session. */
  create(place: SessionPlace): Promise<AcpSession>;
  /** Null if the folder has no such session. */
  load(sessionId: string, place: SessionPlace): Promise<AcpSession | null>;
  /** Newest first. `cwd` limits the list to one folder. */
  list(cwd: string | undefined, cursor: string | undefined): Promise<SessionPage>;
}

/** The abort reason of a prompt whose editor disconnected or crashed. */
export class EditorGone extends Error {
  constructor() {
    super('The editor closed the connection.');
    this.name = 'EditorGone';
  }
}

/** A request from the editor that cannot be met. `message` is for the person. */
export class AcpRefusal extends Error {
  constructor(
    readonly kind: 'invalid' | 'not_found' | 'failed',
    message: string,
  ) {
    super(message);
    this.name = 'AcpRefusal';
  }
}
