import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { namesOfPath, systemPath } from '../../base/path-names';
import type { AppSnapshot, ThreadSummary } from '../../contract/app';
import type { Budgets } from '../../contract/commands/data';
import { type ProjectId, ThreadId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import type { Handlers } from '../../contract/rpc';
import { scrubEnv } from '../../harness/backends';
import type { McpServers } from '../../mcp/servers';
import { parseModelRef } from '../../models/registry';
import type { Storage } from '../../storage';
import type { TerminalSessions } from '../../terminal/sessions';
import { controlHandlers } from '../approvals/rules-and-modes';
import { findCall, type Memories } from '../memories/memories';
import type { FileActions } from '../project/file-actions';
import type { FileContent } from '../project/file-content';
import type { Files } from '../project/files';
import type { FolderScout } from '../project/folder-scout';
import { fromMount } from '../project/mount-paths';
import type { ProjectRegistry } from '../project/projects';
import type { Reverts } from '../project/reverts';
import type { Sandboxes } from '../project/sandboxes';
import type { SecretService } from '../project/secrets';
import { mcpHandlers } from '../settings/mcp';
import type { ModelService } from '../settings/model-service';
import type { ProfileService } from '../settings/profiles';
import type { AttachmentStore } from '../threads/attachments';
import type { CommandOutputs } from '../threads/command-outputs';
import type { Fork } from '../threads/fork';
import type { Inspector } from '../threads/inspector';
import type { ThreadMedia } from '../threads/thread-media';
import { pinMessage, undoCompaction } from '../turns/compactions';
import type { ReadyRuns } from '../turns/ready-runs';
import type { Turns } from '../turns/turns';
import type { Confirmations } from '../window/confirmations';
import type { Connection } from '../window/connection';
import type { ShellServices } from '../window/desktop-services';
import { type FolderOffers, shellHandlers } from '../window/folder-offers';
import type { Hub } from '../window/hub';
import type { Outbox } from '../window/outbox';
import { activityHandlers } from './activity';
import { attachmentHandlers, checkMessage } from './attachments';
import { changeHandlers } from './changes';
import { composerHandlers } from './composer';
import { conversationHandlers } from './conversation';
import { dataHandlers } from './data';
import { diagramHandlers } from './diagrams';
import { fileHandlers } from './files';
import { memoryHandlers } from './memories';
import { sandboxHandlers } from './sandbox';
import { messageFiles, messageText, secretHandlers, withheldAnswer } from './secrets';
import { terminalHandlers } from './terminal';
import { threadHandlers } from './thread';

export type CommandHandlers = Handlers<Connection>;

export interface HandlerParts {
  fork: Fork;
  ready: ReadyRuns;
  outbox: Outbox;
  reverts: Reverts;
  storage: Storage;
  hub: Hub;
  turns: Turns;
  projects: ProjectRegistry;
  files: Files;
  fileActions: FileActions;
  content: FileContent;
  scout: FolderScout;
  memories: Memories;
  models: ModelService;
  profiles: ProfileService;
  inspector: Inspector;
  secrets: SecretService;
  terminals: TerminalSessions;
  media: ThreadMedia;
  attachments: AttachmentStore;
  outputs: CommandOutputs;
  mcp: McpServers;
  sandboxes: Sandboxes;
  shell: ShellServices;
  confirmations: Confirmations;
  offers: FolderOffers;
  version: string;
  dataFolder: string;
  onBudgets: (budgets: Budgets) => void;
  /** Folder of this machine with the person's own agents. */
  personalAgents: string;
  platform: AppSnapshot['platform'];
  warnings: () => AppSnapshot['warnings'];
  fallbackRuntime: string | null;
  env: NodeJS.ProcessEnv;
}

const done = () => ok({});

/** Without the keys that are there but undefined. */
const given = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** What each command of the contract does. */
export function createHandlers(parts: HandlerParts): CommandHandlers {
  const { storage, hub, turns, projects, files, memories, models, terminals, shell } = parts;

  const summaryOf = (threadId: ThreadId): Result<ThreadSummary> => {
    const summary = storage.threads.summary(threadId);
    return summary ? ok(summary) : fail('not_found', 'This thread does not exist any more.');
  };
  const inFolder = (projectId: ProjectId, path: string): Result<string> => {
    const project = projects.get(projectId);
    if (!project.ok) return project;
    const real = fromMount(project.value, path);
    if (real === null || namesOfPath(path) === null)
      return fail('denied', 'Only files of the project folder can be shown there.');
    const host = systemPath(real);
    return Buffer.isBuffer(host)
      ? fail('unsupported', 'Its name is not UTF-8, so the system cannot be asked to show it.')
      : ok(host);
  };

  return {
    'app.open': async (_input, connection) => {
      const state = await models.state();
      connection.followApp();
      return ok({
        version: parts.version,
        fallbackRuntime: parts.fallbackRuntime,
        dataFolder: parts.dataFolder,
        platform: parts.platform,
        projects: storage.projects.list(),
        threads: storage.threads.summaries(),
        settings: storage.settings.read(),
        models: state,
        terminals: terminals.list(),
        rules: storage.rules.list(),
        sandbox: parts.sandboxes.state,
        warnings: parts.warnings(),
      });
    },
    'settings.change': (changes) => {
      for (const model of changes.fallbacks ?? []) {
        const ref = parseModelRef(model);
        if (!ref.ok) return ref;
      }
      const settings = storage.settings.change(given(changes));
      hub.app({ type: 'settings.changed', settings });
      return ok(settings);
    },

    'project.choose': async () => {
      const folder = await shell.chooseFolder();
      if (folder === null) return ok({ project: null });
      const opened = await projects.open(folder);
      return opened.ok ? ok({ project: opened.value }) : opened;
    },
    'project.reveal': ({ projectId }) => {
      const project = projects.get(projectId);
      if (!project.ok) return project;
      shell.reveal(project.value.folder);
      return done();
    },
    'project.remove': async ({ projectId }) => {
      for (const { id } of storage.threads.summaries(projectId)) {
        await turns.discard(id);
        await terminals.endOf(id);
      }
      for (const { id } of terminals
        .list()
        .filter((one) => one.projectId === projectId && one.kind === 'person'))
        await terminals.close(id);
      await parts.mcp.release(projectId);
      projects.remove(projectId);
      return done();
    },

    'thread.create': ({ projectId, model }) => {
      const project = projects.get(projectId);
      if (!project.ok) return project;
      const id = ThreadId.parse(randomUUID());
      const at = storage.now();
      storage.threads.insert({
        id,
        projectId,
        title: '',
        model: model ?? storage.settings.read().model,
        createdAt: at,
        updatedAt: at,
      });
      const summary = summaryOf(id);
      if (summary.ok) hub.app({ type: 'summary.changed', summary: summary.value });
      return summary;
    },
    'thread.close': ({ threadId }, connection) => {
      connection.leaveThread(threadId);
      return done();
    },
    'thread.rename': ({ threadId, title }) => {
      const live = turns.thread(threadId);
      if (!live.ok) return live;
      live.value.emit({ type: 'thread.changed', thread: { ...live.value.state.thread, title } });
      return done();
    },
    'thread.delete': async ({ threadId }) => {
      const found = summaryOf(threadId);
      if (!found.ok) return found;
      await turns.discard(threadId);
      await terminals.endOf(threadId);
      storage.threads.remove(threadId, Date.now());
      parts.inspector.forget(threadId);
      hub.app({ type: 'thread.removed', threadId });
      return done();
    },
    'thread.restore': ({ threadId }) => {
      if (!storage.threads.restore(threadId)) return fail('not_found', 'This thread cannot be restored.');
      const summary = summaryOf(threadId);
      if (summary.ok) hub.app({ type: 'summary.changed', summary: summary.value });
      return summary;
    },
    'thread.setModel': ({ threadId, model }) => {
      const live = turns.thread(threadId);
      if (!live.ok) return live;
      live.value.emit({ type: 'thread.changed', thread: { ...live.value.state.thread, model } });
      hub.app({ type: 'settings.changed', settings: storage.settings.change({ model }) });
      return done();
    },
    'thread.send': async ({ threadId, text, attachments = [], when, secrets }) => {
      const isReady = parts.ready.look(threadId);
      const said = messageText(parts.secrets, threadId, text, secrets);
      if (!said.ok) return said;
      const files = messageFiles(attachments, secrets);
      if (!files.ok) return files;
      const checked = await checkMessage(parts.attachments, threadId, text, files.value);
      if (!checked.ok) return checked;
      // The request goes first; then the windows draw.
      if (isReady) parts.outbox.hold();
      const sent = turns.send(threadId, said.value, when, files.value);
      // Nothing is asked for it yet.
      if (!sent.ok || sent.value.queued) parts.outbox.release();
      return sent;
    },
    'thread.changeQueued': ({ threadId, messageId, text, when, secrets }) => {
      const said = text === undefined ? ok(text) : messageText(parts.secrets, threadId, text, secrets);
      return said.ok ? turns.queued.change(threadId, messageId, given({ text: said.value, when })) : said;
    },
    'thread.moveQueued': ({ threadId, messageId, to }) => turns.queued.move(threadId, messageId, to),
    'thread.sendQueued': ({ threadId, messageId }) => turns.sendQueued(threadId, messageId),
    'thread.fork': async ({ threadId, messageId, text, secrets }) => {
      const said = text === undefined ? ok(text) : messageText(parts.secrets, threadId, text, secrets);
      if (!said.ok) return said;
      const fork = await parts.fork(threadId, messageId, said.value);
      if (!fork.ok) return fork;
      const thread = summaryOf(fork.value.id);
      if (!thread.ok) return thread;
      hub.app({ type: 'summary.changed', summary: thread.value });
      turns.go(fork.value.id);
      const { draft, attachments } = fork.value;
      return ok({ thread: thread.value, draft, ...(attachments.length === 0 ? {} : { attachments }) });
    },
    'thread.withdraw': ({ threadId, messageId }) => turns.queued.withdraw(threadId, messageId),
    'thread.stop': ({ threadId }) => turns.stop(threadId),
    'thread.compact': ({ threadId }) => turns.compact(threadId),
    'thread.undoCompaction': ({ threadId, compactionId }) => {
      const live = turns.thread(threadId);
      return live.ok ? undoCompaction(live.value, compactionId) : live;
    },
    'thread.pin': ({ threadId, messageId, pinned }) => {
      const live = turns.thread(threadId);
      return live.ok ? pinMessage(live.value, messageId, pinned) : live;
    },
    'thread.media': async ({ threadId, mediaId }) => {
      const kept = await parts.media.read(threadId, mediaId);
      const isElsewhere = !kept.ok && kept.error.kind === 'not_found';
      return isElsewhere ? parts.attachments.picture(threadId, mediaId) : kept;
    },
    'thread.stopCall': ({ threadId, callId }) => turns.stopCall(threadId, callId),
    'thread.retry': ({ threadId }) => turns.retry(threadId),
    'thread.inspect': async ({ threadId }) => {
      const found = summaryOf(threadId);
      return found.ok ? ok({ requests: await parts.inspector.read(threadId) }) : found;
    },
    'thread.decide': ({ threadId, approvalId, digest, decision }) =>
      turns.decide(threadId, approvalId, digest, withheldAnswer(parts.secrets, threadId, decision)),

    ...controlHandlers(parts),
    ...terminalHandlers(parts),
    ...secretHandlers(parts),
    ...conversationHandlers(parts),

    'files.list': async ({ projectId, threadId, path, offset = 0 }) => {
      const project = await projects.present(projectId);
      return project.ok ? files.list(project.value, threadId, path, offset) : project;
    },
    'files.read': async ({ projectId, threadId, path, offset, limit }, _connection, signal) => {
      const project = await projects.present(projectId);
      return project.ok ? files.read(project.value, threadId, path, { offset, limit, signal }) : project;
    },
    'files.reveal': ({ projectId, path }) => {
      const real = inFolder(projectId, path);
      if (!real.ok) return real;
      shell.reveal(real.value);
      return done();
    },

    ...activityHandlers(parts),
    ...shellHandlers(parts),
    ...threadHandlers(parts),
    ...attachmentHandlers(parts),
    ...changeHandlers(parts),
    ...fileHandlers(parts),
    ...composerHandlers(parts),
    ...sandboxHandlers(parts),
    ...dataHandlers(parts),
    ...diagramHandlers(parts),
    ...memoryHandlers(parts),
    'memories.list': ({ query }) => memories.list(query ?? ''),
    'memories.read': ({ path }) => memories.read(path),
    'memories.write': ({ path, text, expectedUpdatedAt }) => memories.write(path, text, expectedUpdatedAt),
    'memories.delete': ({ path }) => memories.remove(path),
    'memories.restore': ({ path }) => memories.restore(path),
    'memories.undo': async ({ threadId, callId }) => {
      const live = turns.thread(threadId);
      if (!live.ok) return live;
      const undone = await memories.undo(findCall(live.value.state.messages, callId));
      if (!undone.ok) return undone;
      const now = turns.thread(threadId);
      if (now.ok)
        now.value.emitWith({ type: 'memory.undone', callId }, () =>
          storage.activity.memoryUndone(threadId, callId),
        );
      return done();
    },

    'models.setKey': ({ provider, key }) => models.setKey(provider, key),
    'models.setBaseUrl': ({ provider, baseUrl }) =>
      models.setBaseUrl(provider, baseUrl, (...asked) => parts.confirmations.baseUrl(...asked)),
    'models.refresh': async (_input, _connection, signal) => {
      await models.refresh(signal);
      return done();
    },
    'models.facts': ({ model }) => models.builtIn(model),
    'models.override': ({ model, override }) => models.override(model, override),

    'profiles.read': () => ok(parts.profiles.state()),
    'profiles.change': ({ scope, profile }) => parts.profiles.change(scope, profile),

    ...mcpHandlers(parts),

    'terminal.create': async ({ projectId, cols, rows }) => {
      const project = await projects.present(projectId);
      if (!project.ok) return project;
      await terminals.prepare();
      const opened = terminals.open({
        kind: 'person',
        projectId,
        threadId: null,
        callId: null,
        command: '',
        cwd: project.value.folder,
        cols,
        rows,
        // The person's own shell has their own folder and language, but not Deepdesk's secrets either.
        env: { HOME: homedir(), ...scrubEnv(parts.env) },
      });
      return opened.ok ? ok(opened.value.info) : opened;
    },
    'terminal.attach': ({ terminalId }, connection) => {
      connection.terminals.add(terminalId);
      return terminals.attach(terminalId, connection.id);
    },
    'terminal.detach': ({ terminalId }, connection) => {
      connection.terminals.delete(terminalId);
      terminals.detach(terminalId, connection.id);
      return done();
    },
    'terminal.input': ({ terminalId, data }) => terminals.input(terminalId, data),
    'terminal.resize': ({ terminalId, cols, rows }) => terminals.resize(terminalId, cols, rows),
    'terminal.ack': ({ terminalId, offset }, connection) => {
      terminals.ack(terminalId, offset, connection.id);
      return done();
    },
    'terminal.kill': ({ terminalId }) => terminals.kill(terminalId),
    'terminal.close': ({ terminalId }) => terminals.close(terminalId),

    'link.open': async ({ url }) => {
      const parsed = URL.canParse(url) ? new URL(url) : null;
      if (!parsed || !['http:', 'https:', 'mailto:'].includes(parsed.protocol)) {
        return fail('denied', 'Only web and mail addresses can be opened from here.');
      }
      return ok({ opened: await shell.openExternal(parsed) });
    },
  };
}
