import { z } from 'zod';
import { ApprovalMode, Rule } from './control';
import { ThreadRoutine } from './conversation';
import { CopyInfo } from './copies';
import { CallId, PlaceId, ProjectId, TerminalId, ThreadId } from './ids';
import { MAX_PATH_RULES, PlaceRule } from './places';
import { Reason } from './shared/reasons';
import { SandboxState } from './shared/sandbox';
import { ModelOverrides, SpendingCeilings } from './usage';

/** The folder of a project on another computer: a place that only this project has. */
const RemoteFolder = z.object({
  placeId: PlaceId,
  /** The computer as the person knows it. */
  machine: z.string(),
});

export const Project = z.object({
  id: ProjectId,
  name: z.string(),
  /** Absolute real path of the folder, in the system's form. For a remote project: an empty folder of the app. */
  folder: z.string(),
  /**
   * The path that the agent's tools use: the same, or `/workspace` on Windows. For a remote project: the folder there. No
   * trailing slash.
   */
  mount: z.string(),
  /** Absent: the folder is on this computer. */
  remote: RemoteFolder.optional(),
  isSample: z.boolean(),
  openedAt: z.number(),
  /** The folder was missing at the last check, or the computer that it is on could not be reached. */
  missing: z.boolean(),
  /** A different folder is now at its path; `missing` is then also true. */
  replaced: z.boolean().optional(),
  /** The folder's inode when it was opened. Absent: not checked yet. */
  inode: z.string().optional(),
  /** Approval mode; absent: `ask-risky`. */
  mode: ApprovalMode.optional(),
  /** True: the model sees likely secrets of the project. Absent: they are redacted. */
  secretsShown: z.boolean().optional(),
  /** False: commands that run without asking run outside the sandbox. Absent: inside, if there is one. */
  sandbox: z.boolean().optional(),
  /** What the agent may do at which paths. Absent: no rules. A private copy without any has those of its original. */
  pathRules: z.array(PlaceRule).max(MAX_PATH_RULES).optional(),
  /** It is a private copy of another project's folder. */
  copy: CopyInfo.optional(),
  /** Position in the list, from 0, if the person reordered it. Projects without one come first. */
  rank: z.number().int().nonnegative().optional(),
});
export type Project = z.infer<typeof Project>;

/** A thread as shown in the sidebar. */
export const ThreadSummary = z.object({
  id: ThreadId,
  projectId: ProjectId,
  title: z.string(),
  updatedAt: z.number(),
  status: z.enum(['idle', 'running', 'waiting', 'failed', 'interrupted']),
  /** Number of pending approvals. */
  waiting: z.number(),
  /** The thread that it was created from, with its title at that time. */
  origin: z.object({ threadId: ThreadId, title: z.string() }).optional(),
  /** The thread is a run of this routine. */
  routine: ThreadRoutine.optional(),
  /** Pinned to the top of its project's threads. For this and the next two, absent means no. */
  pinned: z.boolean().optional(),
  /** Hidden in the archive. */
  archived: z.boolean().optional(),
  /** A turn finished, and the person has not seen it yet. */
  unread: z.boolean().optional(),
});
export type ThreadSummary = z.infer<typeof ThreadSummary>;

export const Settings = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  language: z.enum(['system', 'en', 'zh']),
  /** `provider:name` for new threads. */
  model: z.string(),
  /** The first-run card was completed or dismissed. */
  onboarded: z.boolean(),
  spending: SpendingCeilings,
  /** `provider:name` of the fallback models, in order. */
  fallbacks: z.array(z.string().regex(/^[a-z-]+:\S+$/u)).max(5),
  /**
   * Shows a system notification for a pending approval if no window has the focus, and counts them on the icon. Absent: yes.
   */
  notifications: z.boolean().optional(),
  /** Shows a system notification when a turn finishes and no window has the focus. Absent: yes. */
  turnNotifications: z.boolean().optional(),
  /** Shows Deepdesk in the system tray. Absent: yes. */
  tray: z.boolean().optional(),
  /** The model names a new thread after its first answer. Absent: yes. */
  titles: z.boolean().optional(),
  /** Checks for new versions of the app. Absent: yes. */
  updates: z.boolean().optional(),
  /** Absent: the system's setting. */
  contrast: z.enum(['system', 'more']).optional(),
  motion: z.enum(['system', 'less']).optional(),
  /** Text size in percent of the default. Absent: 100. */
  fontSize: z.number().int().min(75).max(200).optional(),
  /** Shortcuts that the person changed, such as `mod+shift+k`; null: none. */
  shortcuts: z.record(z.string().regex(/^[A-Za-z]{1,64}$/), z.string().max(60).nullable()).optional(),
});
export type Settings = z.infer<typeof Settings>;

export const ProviderId = z.enum([
  'offline',
  'anthropic',
  'openai',
  'google-genai',
  'ollama',
  'openai-compatible',
]);
export type ProviderId = z.infer<typeof ProviderId>;

export const ProviderState = z.object({
  id: ProviderId,
  needsKey: z.boolean(),
  /**
   * Source of the key, never the key itself. `session`: kept in memory until Deepdesk exits, because this system has no
   * keychain.
   */
  key: z.enum(['none', 'environment', 'keychain', 'session']),
  /** Name of the environment variable that holds the key. */
  keyVariable: z.string().optional(),
  /** The base URL if the person set one; null for the provider's default. */
  baseUrl: z.string().nullable(),
  /** `openai-compatible` has no default base URL. */
  needsBaseUrl: z.boolean(),
  /** It has what it needs. Whether the key is right, only a request tells. */
  ready: z.boolean(),
  /** A test passed since its key and address last changed, or its server was found. Absent: not in this run. */
  tested: z.literal(true).optional(),
  models: z.array(z.object({ name: z.string(), label: z.string(), contextWindow: z.number().optional() })),
});
export type ProviderState = z.infer<typeof ProviderState>;

export const ModelsState = z.object({
  providers: z.array(ProviderState),
  /** False: keys that the person enters last only until Deepdesk exits. */
  keychain: z.boolean(),
  /** The person's corrections to model facts. */
  overrides: ModelOverrides,
});
export type ModelsState = z.infer<typeof ModelsState>;

export const TerminalInfo = z.object({
  id: TerminalId,
  /** `agent`: mirrors one execute call; `person`: the person's shell. */
  kind: z.enum(['agent', 'person']),
  projectId: ProjectId,
  threadId: ThreadId.nullable(),
  callId: CallId.nullable(),
  /**
   * The command of an execute call, or the name of the person's shell; on another machine that machine's. An agent's terminal without a call is a rerun by the
   * person.
   */
  command: z.string(),
  /** The name that the person gave it. */
  title: z.string().optional(),
  /** Tells the person's terminals with one `command` in a project apart. Absent: 1. It stays when others close. */
  number: z.number().int().min(2).optional(),
  cwd: z.string(),
  startedAt: z.number(),
  /** Null while it is running. */
  endedAt: z.number().nullable(),
  exitCode: z.number().nullable(),
  status: z.enum(['running', 'exited', 'timed_out', 'stopped', 'lost']),
  /** The agent's command has stopped printing and waits for the person to type. */
  awaitsInput: z.literal(true).optional(),
  /** The agent's background job. It outlives its call until it exits, is stopped, or Deepdesk exits. */
  background: z.boolean().optional(),
  /** The command runs or ran in the sandbox. */
  sandboxed: z.boolean().optional(),
  /** It runs or ran in a throwaway layer, which is a sandbox too. */
  inLayer: z.boolean().optional(),
  /** The command runs or ran on this machine, in `cwd` there. */
  machine: z.string().optional(),
  /**
   * An id in each mark (OSC 133) that the person's shell prints at the start and end of a command; other marks are ignored.
   */
  marks: z.string().optional(),
  /** Size according to the pty. */
  cols: z.number(),
  rows: z.number(),
});
export type TerminalInfo = z.infer<typeof TerminalInfo>;

export const FileEntry = z.object({
  /** Absolute, as the agent's tools see it; no trailing slash. */
  path: z.string(),
  name: z.string(),
  kind: z.enum(['file', 'directory', 'link', 'other']),
  /** Bytes; absent for directories. */
  size: z.number().optional(),
  modifiedAt: z.number().optional(),
});
export type FileEntry = z.infer<typeof FileEntry>;

export const FilePage = z.object({
  path: z.string(),
  kind: z.enum(['text', 'binary']),
  mimeType: z.string(),
  /** Bytes of the whole file, if known. */
  size: z.number().nullable(),
  /** Lines from `offset` on, without line ends; empty for binary files. */
  lines: z.array(z.string()),
  /** 0-based number of the first line. */
  offset: z.number(),
  totalLines: z.number().nullable(),
  /** Offset of the next page; null at the end. */
  nextOffset: z.number().nullable(),
});
export type FilePage = z.infer<typeof FilePage>;

export const MemoryEntry = z.object({
  /** Starts with /memories/. */
  path: z.string(),
  size: z.number(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** The last writer. */
  writtenBy: z.discriminatedUnion('by', [
    z.object({ by: z.literal('person') }),
    z.object({
      by: z.literal('agent'),
      threadId: ThreadId.nullable(),
      callId: CallId.nullable(),
      /** Written after the agent had read external content, and not confirmed by the person since. */
      unverified: z.boolean().optional(),
    }),
  ]),
  /** The first characters of the text on one line. */
  excerpt: z.string(),
});
export type MemoryEntry = z.infer<typeof MemoryEntry>;

export const AppSnapshot = z.object({
  version: z.string(),
  /** The running Electron version if the app was built for another one; otherwise null. */
  fallbackRuntime: z.string().nullable().default(null),
  /** The folder of the database, in the system's form. */
  dataFolder: z.string(),
  platform: z.enum(['linux', 'darwin', 'win32']),
  projects: z.array(Project),
  threads: z.array(ThreadSummary),
  settings: Settings,
  models: ModelsState,
  terminals: z.array(TerminalInfo),
  /** The person's rules of every scope, which allow or forbid without asking. */
  rules: z.array(Rule).default([]),
  /** Whether commands can be sandboxed; null until known. */
  sandbox: SandboxState.nullable().default(null),
  /** Warnings about this run: Chromium's sandbox is off, keys last only for the session, and so on. */
  warnings: z.array(z.object({ id: z.string(), why: Reason })),
});
export type AppSnapshot = z.infer<typeof AppSnapshot>;
