import { z } from 'zod';
import { ApprovalMode, Rule } from './control';
import { CallId, ProjectId, TerminalId, ThreadId } from './ids';
import { SandboxState } from './shared/sandbox';
import { ModelOverrides, SpendingCeilings } from './usage';

export const Project = z.object({
  id: ProjectId,
  name: z.string(),
  /** Absolute real path of the folder, as the system writes it. */
  folder: z.string(),
  /** Where the agent's tools see it: the same path, or `/workspace` on Windows. No trailing slash. */
  mount: z.string(),
  isSample: z.boolean(),
  openedAt: z.number(),
  /** The folder could not be found when last looked at. */
  missing: z.boolean(),
  /** What is at its path is another folder than the one that was opened; then it is `missing`, too. */
  replaced: z.boolean().optional(),
  /** The folder's inode when it was opened. Absent: not looked at yet. */
  inode: z.string().optional(),
  /** How much is asked; absent: `ask-risky`. */
  mode: ApprovalMode.optional(),
  /** True: likely secrets of the project are not redacted from the model. Absent: they are. */
  secretsShown: z.boolean().optional(),
  /** False: what runs without being asked about runs outside the sandbox. Absent: inside, where there is one. */
  sandbox: z.boolean().optional(),
  /** Its place in the list where the person has put the list in order, from 0; those without one stand above. */
  rank: z.number().int().nonnegative().optional(),
});
export type Project = z.infer<typeof Project>;

/** What the sidebar shows of a thread. */
export const ThreadSummary = z.object({
  id: ThreadId,
  projectId: ProjectId,
  title: z.string(),
  updatedAt: z.number(),
  status: z.enum(['idle', 'running', 'waiting', 'failed', 'interrupted']),
  /** Calls that wait for a decision. */
  waiting: z.number(),
  /** The thread that it was made from, and how that was called then. */
  origin: z.object({ threadId: ThreadId, title: z.string() }).optional(),
  /** Kept on top of its project's threads. Absent, as with the next two: no. */
  pinned: z.boolean().optional(),
  /** Put away. */
  archived: z.boolean().optional(),
  /** A turn ended, and the person has not looked at it since. */
  unread: z.boolean().optional(),
});
export type ThreadSummary = z.infer<typeof ThreadSummary>;

export const Settings = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  language: z.enum(['system', 'en', 'zh']),
  /** `provider:name` for new threads. */
  model: z.string(),
  /** The first-run card was finished or put away. */
  onboarded: z.boolean(),
  spending: SpendingCeilings,
  /** `provider:name` of the models that are asked, in this order, where the thread's own cannot answer. */
  fallbacks: z.array(z.string().regex(/^[a-z-]+:\S+$/u)).max(5),
  /** Tell by the system when a decision waits and no window has the focus, and count them on the icon. Absent: yes. */
  notifications: z.boolean().optional(),
  /** Tell by the system when a turn has ended and no window has the focus. Absent: yes. */
  turnNotifications: z.boolean().optional(),
  /** Deepdesk stands in the system's tray. Absent: yes. */
  tray: z.boolean().optional(),
  /** New threads are named by their model after its first answer. Absent: they are. */
  titles: z.boolean().optional(),
  /** Absent: as the system wants it. */
  contrast: z.enum(['system', 'more']).optional(),
  motion: z.enum(['system', 'less']).optional(),
  /** Text size, in hundredths of the usual. Absent: 100. */
  fontSize: z.number().int().min(75).max(200).optional(),
  /** Keys of actions where the person chose others than the defaults, such as `mod+shift+k`; null: none. */
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
  name: z.string(),
  needsKey: z.boolean(),
  /** Where the key comes from, never the key. `session`: kept in memory until Deepdesk is closed, because this system has no keychain. */
  key: z.enum(['none', 'environment', 'keychain', 'session']),
  /** Name of the environment variable that holds the key. */
  keyVariable: z.string().optional(),
  /** The address in use where the person set one; null for the provider's own. */
  baseUrl: z.string().nullable(),
  /** `openai-compatible` has no address of its own. */
  needsBaseUrl: z.boolean(),
  /** Ready to be used as it stands. */
  ready: z.boolean(),
  models: z.array(z.object({ name: z.string(), label: z.string(), contextWindow: z.number().optional() })),
});
export type ProviderState = z.infer<typeof ProviderState>;

export const ModelsState = z.object({
  providers: z.array(ProviderState),
  /** False: keys typed by the person last only until Deepdesk is closed. */
  keychain: z.boolean(),
  /** What the person said of models. */
  overrides: ModelOverrides,
});
export type ModelsState = z.infer<typeof ModelsState>;

export const TerminalInfo = z.object({
  id: TerminalId,
  /** `agent`: mirrors one execute call; `person`: a shell of the person's own. */
  kind: z.enum(['agent', 'person']),
  projectId: ProjectId,
  threadId: ThreadId.nullable(),
  callId: CallId.nullable(),
  /** The command of an execute call; the shell's name for a person's. An agent's without a call was run again by the person. */
  command: z.string(),
  /** The name that the person gave it. */
  title: z.string().optional(),
  cwd: z.string(),
  startedAt: z.number(),
  /** Null while it runs. */
  endedAt: z.number().nullable(),
  exitCode: z.number().nullable(),
  status: z.enum(['running', 'exited', 'timed_out', 'stopped', 'lost']),
  /** A job of the agent: it goes on after the call that started it, until it ends, is stopped, or Deepdesk is closed. */
  background: z.boolean().optional(),
  /** The command runs, or ran, in the sandbox. */
  sandboxed: z.boolean().optional(),
  /** Is in each mark (OSC 133) by which the person's shell says where its commands begin and end; others' are none. */
  marks: z.string().optional(),
  /** Size as the pty knows it. */
  cols: z.number(),
  rows: z.number(),
});
export type TerminalInfo = z.infer<typeof TerminalInfo>;

export const FileEntry = z.object({
  /** Absolute, as the agent's tools name it; no trailing slash. */
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
  /** Bytes of the whole file, where known. */
  size: z.number().nullable(),
  /** Lines `offset`..., without line ends; empty for binary. */
  lines: z.array(z.string()),
  /** 0-based number of the first line here. */
  offset: z.number(),
  totalLines: z.number().nullable(),
  /** Offset to go on from; null at the end. */
  nextOffset: z.number().nullable(),
});
export type FilePage = z.infer<typeof FilePage>;

export const MemoryEntry = z.object({
  /** Begins with /memories/. */
  path: z.string(),
  size: z.number(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** Who wrote it last. */
  writtenBy: z.discriminatedUnion('by', [
    z.object({ by: z.literal('person') }),
    z.object({
      by: z.literal('agent'),
      threadId: ThreadId.nullable(),
      callId: CallId.nullable(),
      /** Written after the agent had read what comes from outside, and not confirmed by the person since. */
      unverified: z.boolean().optional(),
    }),
  ]),
  /** The first characters of the text, on one line. */
  excerpt: z.string(),
});
export type MemoryEntry = z.infer<typeof MemoryEntry>;

export const AppSnapshot = z.object({
  version: z.string(),
  /** The version of Electron where another runs than the one the app is made for; else null. */
  fallbackRuntime: z.string().nullable().default(null),
  /** The folder of the database, as the system writes it. */
  dataFolder: z.string(),
  platform: z.enum(['linux', 'darwin', 'win32']),
  projects: z.array(Project),
  threads: z.array(ThreadSummary),
  settings: Settings,
  models: ModelsState,
  terminals: z.array(TerminalInfo),
  /** What the person lets run, or forbids, without being asked; of every scope. */
  rules: z.array(Rule).default([]),
  /** Whether commands can be confined; null while that is being found out. */
  sandbox: SandboxState.nullable().default(null),
  /** What the person should know about this run: Chromium's sandbox is off, keys last only for the session, and the like. */
  warnings: z.array(z.object({ id: z.string(), message: z.string() })),
});
export type AppSnapshot = z.infer<typeof AppSnapshot>;
