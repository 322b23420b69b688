import type {
  AvailableCommand,
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
  | { type: 'file'; name: string; data: string }
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
}

export interface SessionPlace {
  /** Absolute path of the working folder. */
  cwd: string;
  /** Names of the MCP servers that the editor asks the agent to use. */
  mcpServers: readonly string[];
  /** Absolute paths of other folders open in the editor. */
  additionalDirectories: readonly string[];
}

export interface SessionPage {
  sessions: SessionInfo[];
  /** Where the next page starts; absent on the last page. */
  nextCursor?: string;
}

/** What `createAcpAgent` serves. Methods reject with `AcpRefusal` if they cannot do what was asked. */
export interface AcpHost {
  readonly info: { name: string; title: string; version: string };
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
