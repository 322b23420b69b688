import type { ThreadId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { SecretsInMessage } from '../../contract/secrets';
import { optional } from '../../contract/shared/optional';
import type { Storage } from '../../storage';
import type { TerminalSessions } from '../../terminal/sessions';
import type { ProjectRegistry } from '../project/projects';
import type { Fork } from '../threads/fork';
import type { Inspector } from '../threads/inspector';
import { exportThread, importFile } from '../threads/thread-files';
import { findInThread } from '../threads/thread-find';
import { ThreadList } from '../threads/thread-list';
import type { ThreadMedia } from '../threads/thread-media';
import { earlierOf, storedTail, tailOf } from '../threads/thread-pages';
import { pinMessage, undoCompaction } from '../turns/messages/compactions';
import { messageText, redactAnswer, type SendParts, sendMessage } from '../turns/messages/outgoing-message';
import type { Connection } from '../window/connection';
import type { DesktopServices } from '../window/desktop-services';
import type { Hub } from '../window/hub';

interface Parts extends SendParts {
  storage: Storage;
  hub: Hub;
  projects: ProjectRegistry;
  terminals: TerminalSessions;
  inspector: Inspector;
  media: ThreadMedia;
  fork: Fork;
  desktop: DesktopServices;
  dataFolder: string;
}

type ThreadHandlers = HandlersOf<'thread', Connection>;

export function threadHandlers(parts: Parts): ThreadHandlers {
  const list = new ThreadList(parts.storage, parts.hub);
  return { ...listing(parts, list), ...reading(parts, list), ...working(parts), ...forking(parts, list) };
}

type Listing =
  | 'thread.create'
  | 'thread.rename'
  | 'thread.delete'
  | 'thread.restore'
  | 'thread.mark'
  | 'thread.seen'
  | 'thread.setModel';

function listing(parts: Parts, list: ThreadList): Pick<ThreadHandlers, Listing> {
  const { storage, hub, turns, terminals, projects, inspector } = parts;
  return {
    'thread.create': ({ projectId, model }) => {
      const project = projects.listed(projectId);
      return project.ok ? list.create(projectId, model) : project;
    },
    'thread.rename': ({ threadId, title }) => {
      const live = turns.thread(threadId);
      if (!live.ok) return live;
      live.value.emit({ type: 'thread.changed', thread: { ...live.value.state.thread, title } });
      return ok({});
    },
    'thread.delete': async ({ threadId }) => {
      const found = list.summary(threadId);
      if (!found.ok) return found;
      await turns.discard(threadId);
      await terminals.endOf(threadId);
      list.remove(threadId);
      inspector.forget(threadId);
      return ok({});
    },
    'thread.restore': ({ threadId }) => list.restore(threadId),
    'thread.mark': ({ threadId, pinned, archived }) => list.mark(threadId, { pinned, archived }),
    'thread.seen': ({ threadId, seq }) => {
      list.see(threadId, seq);
      return ok({});
    },
    'thread.setModel': ({ threadId, model }) => {
      const live = turns.thread(threadId);
      if (!live.ok) return live;
      live.value.emit({ type: 'thread.changed', thread: { ...live.value.state.thread, model } });
      hub.app({ type: 'settings.changed', settings: storage.settings.change({ model }) });
      return ok({});
    },
  };
}

type Reading =
  | 'thread.open'
  | 'thread.close'
  | 'thread.earlier'
  | 'thread.find'
  | 'thread.since'
  | 'thread.media'
  | 'thread.inspect'
  | 'thread.export';

function reading(parts: Parts, list: ThreadList): Pick<ThreadHandlers, Reading> {
  const { storage, turns, ready, media, attachments, inspector } = parts;
  return {
    'thread.open': ({ threadId, last }, connection) => {
      const loaded = turns.loaded(threadId);
      const stored = last === undefined || loaded ? null : storedTail(storage, threadId, last);
      if (stored) {
        connection.followThread(threadId);
        ready.opened(threadId);
        return ok(stored);
      }
      const live = turns.thread(threadId);
      if (!live.ok) return live;
      connection.followThread(threadId);
      ready.opened(threadId);
      const { state } = live.value;
      return ok(last === undefined ? state : tailOf(state, last));
    },
    'thread.close': ({ threadId }, connection) => {
      connection.leaveThread(threadId);
      return ok({});
    },
    'thread.earlier': ({ threadId, before, limit, from }) =>
      earlierOf(storage, threadId, turns.loaded(threadId), { before, limit, from }),
    'thread.find': async ({ threadId, text }, _connection, signal) => {
      const found = list.summary(threadId);
      if (!found.ok) return found;
      try {
        return ok({ matches: await findInThread(storage, threadId, turns.loaded(threadId), text, signal) });
      } catch (error) {
        if (signal.aborted) return fail('cancelled', 'cancelled');
        throw error;
      }
    },
    'thread.since': ({ threadId }) => {
      const summary = list.summary(threadId);
      if (!summary.ok) return summary;
      const since = storage.activity.since(threadId);
      return ok(since && { ...since, waiting: summary.value.waiting });
    },
    'thread.media': async ({ threadId, mediaId }) => {
      const kept = await media.read(threadId, mediaId);
      const isElsewhere = !kept.ok && kept.error.kind === 'not_found';
      return isElsewhere ? attachments.picture(threadId, mediaId) : kept;
    },
    'thread.inspect': async ({ threadId }) => {
      const found = list.summary(threadId);
      return found.ok ? ok({ requests: await inspector.read(threadId) }) : found;
    },
    'thread.export': ({ threadId, format }) => exportThread(parts, turns, threadId, format),
  };
}

type Working =
  | 'thread.send'
  | 'thread.changeQueued'
  | 'thread.moveQueued'
  | 'thread.sendQueued'
  | 'thread.sendKept'
  | 'thread.withdraw'
  | 'thread.stop'
  | 'thread.stopCall'
  | 'thread.retry'
  | 'thread.decide'
  | 'thread.compact'
  | 'thread.undoCompaction'
  | 'thread.pin';

function working(parts: Parts): Pick<ThreadHandlers, Working> {
  const { turns, secrets } = parts;
  return {
    'thread.send': (message) => sendMessage(parts, message),
    'thread.changeQueued': ({ threadId, messageId, text, when, secrets: decided }) => {
      const said = changedText(parts, threadId, text, decided);
      if (!said.ok) return said;
      return turns.queued.change(threadId, messageId, optional({ text: said.value, when }));
    },
    'thread.moveQueued': ({ threadId, messageId, to }) => turns.queued.move(threadId, messageId, to),
    'thread.sendQueued': ({ threadId, messageId }) => turns.sendQueued(threadId, messageId),
    'thread.sendKept': ({ threadId }) => turns.sendKept(threadId),
    'thread.withdraw': ({ threadId, messageId }) => turns.queued.withdraw(threadId, messageId),
    'thread.stop': ({ threadId }) => turns.stop(threadId),
    'thread.stopCall': ({ threadId, callId }) => turns.stopCall(threadId, callId),
    'thread.retry': ({ threadId }) => turns.retry(threadId),
    'thread.decide': ({ threadId, approvalId, digest, decision }) =>
      turns.decide(threadId, approvalId, digest, redactAnswer(secrets, threadId, decision)),
    'thread.compact': ({ threadId }) => turns.compact(threadId),
    'thread.undoCompaction': ({ threadId, compactionId }) => {
      const live = turns.thread(threadId);
      return live.ok ? undoCompaction(live.value, compactionId) : live;
    },
    'thread.pin': ({ threadId, messageId, pinned }) => {
      const live = turns.thread(threadId);
      return live.ok ? pinMessage(live.value, messageId, pinned) : live;
    },
  };
}

type Forking = 'thread.fork' | 'thread.duplicate' | 'thread.import';

function forking(parts: Parts, list: ThreadList): Pick<ThreadHandlers, Forking> {
  const { storage, turns, projects, fork, desktop } = parts;
  return {
    'thread.fork': async ({ threadId, messageId, text, secrets }) => {
      const said = changedText(parts, threadId, text, secrets);
      if (!said.ok) return said;
      const forked = await fork(threadId, messageId, said.value);
      if (!forked.ok) return forked;
      const { id, draft, attachments } = forked.value;
      const thread = list.tell(id);
      if (!thread.ok) return thread;
      turns.go(id);
      return ok({ thread: thread.value, draft, ...(attachments.length === 0 ? {} : { attachments }) });
    },
    'thread.duplicate': async ({ threadId }) => {
      const forked = await fork(threadId, null);
      return forked.ok ? list.tell(forked.value.id) : forked;
    },
    'thread.import': async ({ projectId }) => {
      const project = projects.get(projectId);
      if (!project.ok) return project;
      const made = await importFile(desktop, storage, projectId);
      if (!made.ok) return made;
      if (made.value === null) return ok({ thread: null });
      const thread = list.tell(made.value);
      return thread.ok ? ok({ thread: thread.value }) : thread;
    },
  };
}

/** The text that replaces another, if any. Errors: as `messageText`. */
const changedText = (
  { secrets }: Parts,
  threadId: ThreadId,
  text: string | undefined,
  decided: SecretsInMessage | undefined,
): Result<string | undefined> =>
  text === undefined ? ok(text) : messageText(secrets, threadId, text, decided);
