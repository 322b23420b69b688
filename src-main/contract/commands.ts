import { z } from 'zod';
import {
  AppSnapshot,
  FileEntry,
  FilePage,
  MemoryEntry,
  Project,
  ProviderId,
  Settings,
  TerminalInfo,
  ThreadSummary,
} from './app';
import { Decision, ThreadState } from './conversation';
import { ApprovalId, CallId, MessageId, ProjectId, TerminalId, ThreadId, TurnId } from './ids';

const command = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output });
const nothing = z.strictObject({});
const done = z.strictObject({});
const Model = z
  .string()
  .regex(/^[a-z-]+:.+$/)
  .max(200);
const FilePath = z.string().min(1).max(8_192);

/** Longest message a person can send, in UTF-16 units. */
export const MAX_MESSAGE_LENGTH = 2_000_000;
const MessageText = z.string().min(1).max(MAX_MESSAGE_LENGTH);

/** Everything a window can ask of the main process. Unknown names, extra keys and wrong types are refused as `invalid`. */
export const commands = {
  /** The app's state; from now on this connection gets app events. */
  'app.open': command(nothing, AppSnapshot),
  'settings.change': command(Settings.partial().strict(), Settings),

  /** Shows the system's folder dialog; `project` is null when the person cancelled. A path never comes from the window. */
  'project.choose': command(nothing, z.object({ project: Project.nullable() })),
  /** Shows the folder in the system's file manager. */
  'project.reveal': command(z.strictObject({ projectId: ProjectId }), done),
  'project.remove': command(z.strictObject({ projectId: ProjectId }), done),

  'thread.create': command(z.strictObject({ projectId: ProjectId, model: Model.optional() }), ThreadSummary),
  /** The thread's state; from now on this connection gets its events. */
  'thread.open': command(z.strictObject({ threadId: ThreadId }), ThreadState),
  'thread.close': command(z.strictObject({ threadId: ThreadId }), done),
  'thread.rename': command(z.strictObject({ threadId: ThreadId, title: z.string().min(1).max(200) }), done),
  'thread.delete': command(z.strictObject({ threadId: ThreadId }), done),
  /** Deletes are taken back for a while. */
  'thread.restore': command(z.strictObject({ threadId: ThreadId }), ThreadSummary),
  'thread.setModel': command(z.strictObject({ threadId: ThreadId, model: Model }), done),
  /** Starts a turn, or queues the message while one runs or waits. */
  'thread.send': command(
    z.strictObject({ threadId: ThreadId, text: MessageText }),
    z.object({ turnId: TurnId.nullable(), queued: z.boolean() }),
  ),
  'thread.withdraw': command(
    z.strictObject({ threadId: ThreadId, messageId: MessageId }),
    z.object({ text: z.string() }),
  ),
  'thread.stop': command(z.strictObject({ threadId: ThreadId }), done),
  /** Asks the model again after a failure, or continues an interrupted turn. */
  'thread.retry': command(z.strictObject({ threadId: ThreadId }), z.object({ turnId: TurnId })),
  /** One decision on one waiting call. `digest` must be the one that was shown. */
  'thread.decide': command(
    z.strictObject({ threadId: ThreadId, approvalId: ApprovalId, digest: z.string(), decision: Decision }),
    done,
  ),

  'files.list': command(
    z.strictObject({
      projectId: ProjectId,
      threadId: ThreadId.nullable(),
      path: FilePath,
      offset: z.number().int().nonnegative().optional(),
    }),
    z.object({ entries: z.array(FileEntry), total: z.number(), nextOffset: z.number().nullable() }),
  ),
  'files.read': command(
    z.strictObject({
      projectId: ProjectId,
      threadId: ThreadId.nullable(),
      path: FilePath,
      offset: z.number().int().nonnegative(),
      limit: z.number().int().positive().max(5_000),
    }),
    FilePage,
  ),
  /** Shows a file of the project in the system's file manager. */
  'files.reveal': command(z.strictObject({ projectId: ProjectId, path: FilePath }), done),

  'memories.list': command(
    z.strictObject({ query: z.string().max(1_000).optional() }),
    z.object({ memories: z.array(MemoryEntry) }),
  ),
  'memories.read': command(
    z.strictObject({ path: FilePath }),
    z.object({ memory: MemoryEntry, text: z.string() }),
  ),
  /** `expectedUpdatedAt` guards against overwriting what the agent wrote meanwhile (`stale`); null creates. */
  'memories.write': command(
    z.strictObject({
      path: FilePath,
      text: z.string().max(2_000_000),
      expectedUpdatedAt: z.number().nullable(),
    }),
    z.object({ memory: MemoryEntry }),
  ),
  'memories.delete': command(z.strictObject({ path: FilePath }), done),
  /** Brings back the last deleted version. */
  'memories.restore': command(z.strictObject({ path: FilePath }), z.object({ memory: MemoryEntry })),
  /** Takes back what one tool call did to a memory. */
  'memories.undo': command(z.strictObject({ threadId: ThreadId, callId: CallId }), done),

  /** The key goes in and never comes out; null removes it. */
  'models.setKey': command(
    z.strictObject({ provider: ProviderId, key: z.string().min(1).max(1_000).nullable() }),
    done,
  ),
  'models.setBaseUrl': command(
    z.strictObject({ provider: ProviderId, baseUrl: z.url().max(2_000).nullable() }),
    done,
  ),
  /** Looks for local servers (Ollama, LM Studio) and, where there is one, its models. */
  'models.refresh': command(nothing, done),

  'terminal.create': command(
    z.strictObject({
      projectId: ProjectId,
      cols: z.number().int().min(2).max(1_000),
      rows: z.number().int().min(2).max(1_000),
    }),
    TerminalInfo,
  ),
  /** What was printed so far (the last part of it), and from now on terminal.data for this connection. */
  'terminal.attach': command(
    z.strictObject({ terminalId: TerminalId }),
    z.object({ terminal: TerminalInfo, offset: z.number(), data: z.string() }),
  ),
  'terminal.detach': command(z.strictObject({ terminalId: TerminalId }), done),
  'terminal.input': command(
    z.strictObject({ terminalId: TerminalId, data: z.string().max(1_000_000) }),
    done,
  ),
  'terminal.resize': command(
    z.strictObject({
      terminalId: TerminalId,
      cols: z.number().int().min(2).max(1_000),
      rows: z.number().int().min(2).max(1_000),
    }),
    done,
  ),
  /** The window has drawn everything before `offset`: flow control, as xterm.js asks for. */
  'terminal.ack': command(z.strictObject({ terminalId: TerminalId, offset: z.number() }), done),
  /** Ends what runs in it, the whole process tree. */
  'terminal.kill': command(z.strictObject({ terminalId: TerminalId }), done),
  'terminal.close': command(z.strictObject({ terminalId: TerminalId }), done),

  /** Opens an http(s) or mailto address in the system's browser after the person confirmed it. */
  'link.open': command(z.strictObject({ url: z.string().max(8_192) }), z.object({ opened: z.boolean() })),
} as const;

export type Commands = typeof commands;
export type CommandName = keyof Commands;
export type Input<C extends CommandName> = z.input<Commands[C]['input']>;
export type Output<C extends CommandName> = z.output<Commands[C]['output']>;
