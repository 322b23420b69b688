import { z } from 'zod';
import { activityCommands } from '../activity';
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
} from '../app';
import { Attachments, attachmentCommands } from '../attachments';
import { changeCommands } from '../changes';
import { Decision, ThreadState } from '../conversation';
import { ApprovalId, CallId, MessageId, ProjectId, TerminalId, ThreadId, TurnId } from '../ids';
import { InspectedRequest } from '../inspect';
import { MAX_MESSAGE_LENGTH } from '../limits';
import { McpDraft, McpServers } from '../mcp';
import { SecretsInMessage, secretCommands } from '../secrets';
import { Profile, ProfileScope, ProfilesState } from '../shared/profile';
import { sandboxCommands } from '../shared/sandbox';
import { ModelFacts, ModelOverride } from '../usage';
import { composerCommands } from './composer';
import { dataCommands } from './data';
import { diagramCommands } from './diagrams';
import { fileCommands } from './files';
import { memoryCommands } from './memories';
import { shellCommands } from './menu';
import { controlCommands } from './rules';
import { conversationCommands } from './search';
import { terminalCommands } from './terminal';
import { threadCommands } from './thread';

const command = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output });
const nothing = z.strictObject({});
const done = z.strictObject({});
const Model = z
  .string()
  .regex(/^[a-z-]+:.+$/)
  .max(200);
const McpServerRef = { projectId: ProjectId.nullable(), id: z.string().max(400) };
const FilePath = z.string().min(1).max(8_192);

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
  /**
   * The thread's state; from now on this connection gets its events. With `last`, only so many messages from its end:
   * the others are asked for by `thread.earlier`.
   */
  'thread.open': command(
    z.strictObject({ threadId: ThreadId, last: z.number().int().positive().max(100_000).optional() }),
    ThreadState,
  ),
  'thread.close': command(z.strictObject({ threadId: ThreadId }), done),
  'thread.rename': command(z.strictObject({ threadId: ThreadId, title: z.string().min(1).max(200) }), done),
  'thread.delete': command(z.strictObject({ threadId: ThreadId }), done),
  /** Deletes are taken back for a while. */
  'thread.restore': command(z.strictObject({ threadId: ThreadId }), ThreadSummary),
  'thread.setModel': command(z.strictObject({ threadId: ThreadId, model: Model }), done),
  /**
   * Starts a turn, or queues the message while one runs or waits: for the agent's next step unless said otherwise. With
   * attachments it needs no words. `not_found` where one of them is not kept any more.
   */
  'thread.send': command(
    z.strictObject({
      threadId: ThreadId,
      text: z.string().max(MAX_MESSAGE_LENGTH),
      attachments: Attachments.optional(),
      when: z.enum(['next_step', 'after_turn']).optional(),
      secrets: SecretsInMessage.optional(),
    }),
    z.object({ turnId: TurnId.nullable(), queued: z.boolean() }),
  ),
  'thread.withdraw': command(
    z.strictObject({ threadId: ThreadId, messageId: MessageId }),
    z.object({ text: z.string(), attachments: Attachments.optional() }),
  ),
  /** Other words for a queued message, or another time. `not_found` where it was sent meanwhile. */
  'thread.changeQueued': command(
    z.strictObject({
      threadId: ThreadId,
      messageId: MessageId,
      text: MessageText.optional(),
      when: z.enum(['next_step', 'after_turn']).optional(),
      secrets: SecretsInMessage.optional(),
    }),
    done,
  ),
  /** Puts a queued message at place `to` (0-based) of the queue; those for the next step stay before the others. */
  'thread.moveQueued': command(
    z.strictObject({ threadId: ThreadId, messageId: MessageId, to: z.number().int().nonnegative() }),
    done,
  ),
  /** Stops what runs, keeping what it has done, and sends this message first. */
  'thread.sendQueued': command(z.strictObject({ threadId: ThreadId, messageId: MessageId }), done),
  /**
   * A new thread with the history up to a message: what the person said is left out, and answered as `draft` or, with
   * `text`, sent in other words; what the agent said is in it, with the results of its calls. The other thread stays as
   * it is. Nothing that was done to files or memories is taken back. What was attached stays with the words.
   */
  'thread.fork': command(
    z.strictObject({
      threadId: ThreadId,
      messageId: MessageId,
      text: z.string().max(MAX_MESSAGE_LENGTH).optional(),
      secrets: SecretsInMessage.optional(),
    }),
    z.object({ thread: ThreadSummary, draft: z.string(), attachments: Attachments.optional() }),
  ),
  'thread.stop': command(z.strictObject({ threadId: ThreadId }), done),
  /** Asks the model again after a failure, or continues an interrupted turn. */
  'thread.retry': command(z.strictObject({ threadId: ThreadId }), z.object({ turnId: TurnId })),
  /** Summarises the older messages for the model, now. Null: there is nothing that is worth it. */
  'thread.compact': command(
    z.strictObject({ threadId: ThreadId }),
    z.object({ tokensBefore: z.number(), tokensAfter: z.number() }).nullable(),
  ),
  /** Takes the last compaction back; one that was taken back stays so. */
  'thread.undoCompaction': command(z.strictObject({ threadId: ThreadId, compactionId: MessageId }), done),
  /** Whether a message is kept word for word when the thread is compacted. */
  'thread.pin': command(
    z.strictObject({ threadId: ThreadId, messageId: MessageId, pinned: z.boolean() }),
    done,
  ),
  /** A picture of a result, by its id there. */
  'thread.media': command(
    z.strictObject({ threadId: ThreadId, mediaId: z.string().regex(/^[0-9a-f]{64}$/) }),
    z.object({ mimeType: z.string(), data: z.string() }),
  ),
  /** Stops one sub-agent; the others and the turn go on. */
  'thread.stopCall': command(z.strictObject({ threadId: ThreadId, callId: CallId }), done),
  /** The last request of each of the thread's agents since Deepdesk was started, the thread's own first. */
  'thread.inspect': command(
    z.strictObject({ threadId: ThreadId }),
    z.object({ requests: z.array(InspectedRequest) }),
  ),
  /** One decision on one waiting call. `digest` must be the one that was shown. */
  'thread.decide': command(
    z.strictObject({ threadId: ThreadId, approvalId: ApprovalId, digest: z.string(), decision: Decision }),
    done,
  ),

  ...attachmentCommands,
  ...changeCommands,
  ...fileCommands,
  ...composerCommands,
  ...controlCommands,
  ...secretCommands,
  ...sandboxCommands,
  ...conversationCommands,
  ...activityCommands,
  ...shellCommands,
  ...threadCommands,
  ...terminalCommands,
  ...dataCommands,
  ...memoryCommands,
  ...diagramCommands,

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
  /** What is known of a model without what the person said of it. */
  'models.facts': command(z.strictObject({ model: Model }), z.object({ builtIn: ModelFacts })),
  /** What the person says of a model, in place of all that they said before; null takes it back. */
  'models.override': command(z.strictObject({ model: Model, override: ModelOverride.nullable() }), done),

  /** What the person changed about the agent, and what holds without. */
  'profiles.read': command(nothing, ProfilesState),
  /** In place of the profile there was for the scope; null removes it. */
  'profiles.change': command(z.strictObject({ scope: ProfileScope, profile: Profile.nullable() }), done),

  /** MCP servers of the person and, where one is named, of a project. Starts what may run, and does not wait for it. */
  'mcp.list': command(z.strictObject({ projectId: ProjectId.nullable() }), McpServers),
  /** May a server that comes with a folder run, exactly as `digest` says it is configured? */
  'mcp.consent': command(
    z.strictObject({ ...McpServerRef, digest: z.string().max(200), allowed: z.boolean() }),
    done,
  ),
  'mcp.setEnabled': command(z.strictObject({ ...McpServerRef, enabled: z.boolean() }), done),
  'mcp.restart': command(z.strictObject(McpServerRef), done),
  /** Opens the system's browser where the person signs in, after they confirmed the address; the state tells the rest. */
  'mcp.signIn': command(z.strictObject(McpServerRef), done),
  'mcp.cancelSignIn': command(z.strictObject(McpServerRef), done),
  'mcp.signOut': command(z.strictObject(McpServerRef), done),
  /** Adds or changes a server of the person's own. Secrets go in and never come out. */
  'mcp.save': command(z.strictObject({ draft: McpDraft }), done),
  /** Removes a server of the person's own. */
  /** Moves what looks like a secret from the person's `mcp.json` to the keychain. `unsupported` without one. */
  'mcp.keepSecrets': command(z.strictObject({ name: z.string().min(1).max(64) }), done),
  'mcp.remove': command(z.strictObject({ name: z.string().min(1).max(64) }), done),

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
  /** The window has taken everything before `offset` for its screen: flow control, as xterm.js asks for. */
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
