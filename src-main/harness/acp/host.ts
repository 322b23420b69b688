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

/** What the person put into a message, in the order in which they put it. */
export type PromptPart =
  | { type: 'text'; text: string }
  /** Content that came with the message. `data`: base64. */
  | { type: 'file'; name: string; data: string }
  /** A file or an address that the message names; its content did not come with it. */
  | { type: 'link'; uri: string; name: string };

/** A question that the person answers in their editor. */
export interface PermissionQuestion {
  toolCall: ToolCallUpdate;
  options: PermissionOption[];
}

/** The person's side of a session while one of its prompts runs. */
export interface Editor {
  /** Sends what happened. Updates arrive in the order in which they were sent. */
  update(update: SessionUpdate): void;
  /** The id of the option that was chosen; null where the person wants the turn to end. Rejects where the editor is gone. */
  ask(question: PermissionQuestion, signal: AbortSignal): Promise<string | null>;
}

/** One conversation, as an editor sees it. Every id that comes from the editor is data: check it. */
export interface AcpSession {
  readonly id: string;
  /** Null: the agent has none. */
  modes(): SessionModeState | null;
  /** Rejects with `AcpRefusal` where there is no such mode. */
  setMode(modeId: string): Promise<void>;
  /** Other choices, such as the model. */
  options(): SessionConfigOption[];
  /** Rejects with `AcpRefusal` where there is no such option or value. */
  setOption(optionId: string, value: string): Promise<void>;
  /** What may stand after `/` at the beginning of a message. */
  commands(): Promise<AvailableCommand[]>;
  /** Everything that was said and done so far. */
  history(): SessionUpdate[];
  /**
   * Says something and resolves when the turn has ended. Aborting `signal` stops it, and the answer is `cancelled`. With
   * an `EditorGone` as the reason nobody waits for the answer any more: what was asked may stay open for the next editor.
   * Rejects with `AcpRefusal` where the turn failed, in words for the person.
   */
  prompt(parts: readonly PromptPart[], editor: Editor, signal: AbortSignal): Promise<StopReason>;
}

export interface SessionPlace {
  /** Absolute path of the folder to work in. */
  cwd: string;
  /** Names of the MCP servers that the editor would like the agent to use. */
  mcpServers: readonly string[];
  /** Absolute paths of further folders that the editor has open. */
  additionalDirectories: readonly string[];
}

export interface SessionPage {
  sessions: SessionInfo[];
  /** Where the next page begins; absent on the last one. */
  nextCursor?: string;
}

/** What `createAcpAgent` serves. Methods reject with `AcpRefusal` where they were asked for something that cannot be. */
export interface AcpHost {
  readonly info: { name: string; title: string; version: string };
  create(place: SessionPlace): Promise<AcpSession>;
  /** Null: there is no such session in that folder. */
  load(sessionId: string, place: SessionPlace): Promise<AcpSession | null>;
  /** Newest first; of one folder where it is given. */
  list(cwd: string | undefined, cursor: string | undefined): Promise<SessionPage>;
}

/** Why a prompt is aborted whose editor has closed the connection, or died. */
export class EditorGone extends Error {
  constructor() {
    super('The editor closed the connection.');
    this.name = 'EditorGone';
  }
}

/** Something that the editor asked for and cannot have. `message` is for the person. */
export class AcpRefusal extends Error {
  constructor(
    readonly kind: 'invalid' | 'not_found' | 'failed',
    message: string,
  ) {
    super(message);
    this.name = 'AcpRefusal';
  }
}
