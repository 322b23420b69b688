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
  | {
      /** What the person wrote. */
      type: 'text';
      /** As they wrote it. */
      text: string;
    }
  | {
      /** An embedded file, image or recording. */
      type: 'file';
      /** The last segment of its path or URL. Images and recordings have none and are named after their type. */
      name: string;
      /** As the editor says. It may not fit the bytes, because editors guess it from the name. */
      mimeType: string;
      /** Base64, for text too. */
      data: string;
    }
  | {
      /** A file or URL that the message names without embedding its content. */
      type: 'link';
      /** Such as `file:///home/me/notes.md`. */
      uri: string;
      /** The name that the editor shows for it. */
      name: string;
    };

/** A question for the person in the editor. */
export interface PermissionQuestion {
  /** The call that needs permission, as the editor shows it. */
  toolCall: ToolCallUpdate;
  /** The buttons that the editor offers, in this order. */
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
  /** The program. It is not a shell command line. */
  command: string;
  /** Arguments of the program. */
  args: readonly string[];
  /** Added to the editor's own variables. */
  env: Readonly<Record<string, string>>;
  /** Absolute path of the working folder. */
  cwd: string;
  /** The editor drops the start of a longer output. */
  maxOutputBytes: number;
}

/** A command in a terminal of the editor. Calls reject if the editor disconnects. */
export interface EditorTerminal {
  /** The editor's id of the terminal. */
  readonly id: string;
  /** Resolves when the command has exited. `exitCode`: null if a signal ended it. */
  exited(): Promise<{ exitCode: number | null }>;
  /** All output so far. `truncated`: its start is missing. */
  output(): Promise<{ output: string; truncated: boolean }>;
  /** Kills the command. The terminal and its output stay. */
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
  /** The same for as long as the conversation exists: editors load it by this id. */
  readonly id: string;
  /** Null if the agent has no modes. */
  modes(): SessionModeState | null;
  /** Rejects with `AcpRefusal` if there is no such mode. */
  setMode(modeId: string): Promise<void>;
  /** Other options, such as the model. */
  options(): SessionConfigOption[];
  /** Rejects with `AcpRefusal` if there is no such option or value. */
  setOption(optionId: string, value: string): Promise<void>;
  /**
   * Called once. `update` sends what changes between prompts, such as a mode that another session has set: an editor would go on
   * showing the one that it knows.
   */
  onChange?(update: (update: SessionUpdate) => void): void;
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
  /** Files and terminals of the editor. */
  editor: EditorTools;
}

/** One page of the list of sessions. */
export interface SessionPage {
  /** Newest first. */
  sessions: SessionInfo[];
  /** Where the next page starts; absent on the last page. */
  nextCursor?: string;
}

/** What a host can use of that which editors pass with a session. */
export interface AcpAccepts {
  /**
   * MCP servers over these transports; a session with others is refused. Editors may pass `stdio` to every agent. Absent: no
   * session is refused, and the host gets servers that it need not use (`deepAgentHost` names them to the person).
   */
  mcpServers?: readonly ('stdio' | 'http' | 'sse')[];
  /** Whether sessions can work in further folders. Default false: a session with some is refused. */
  additionalDirectories?: boolean;
}

/** What `createAcpAgent` serves. Methods reject with `AcpRefusal` if they cannot do what was asked. */
export interface AcpHost {
  /** What editors show about the agent. */
  readonly info: {
    /** For programs, such as `my-agent`. */
    name: string;
    /** For people. */
    title: string;
    /** Of the agent, not of the protocol. */
    version: string;
  };
  /** What sessions can use besides their folder. */
  readonly accepts?: AcpAccepts;
  /** Starts an empty session. */
  create(place: SessionPlace): Promise<AcpSession>;
  /** Null if the folder has no such session. */
  load(sessionId: string, place: SessionPlace): Promise<AcpSession | null>;
  /** Newest first. `cwd`, an absolute path, limits the list to one folder. Rejects with `AcpRefusal` for an unknown cursor. */
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
    /**
     * `invalid`: a wrong request. `not_found`: an unknown session. `failed`: anything else. Editors get them as the JSON-RPC
     * errors -32602, -32002 and -32603.
     */
    readonly kind: 'invalid' | 'not_found' | 'failed',
    message: string,
  ) {
    super(message);
    this.name = 'AcpRefusal';
  }

  /** Any error as a refusal: itself if it is one, else `failed` with its message. */
  static from(error: unknown): AcpRefusal {
    if (error instanceof AcpRefusal) return error;
    return new AcpRefusal('failed', error instanceof Error ? error.message : String(error));
  }
}
