import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { readRegularText } from '../../base/open-regular';
import { isRefused } from '../../base/regular-file';
import type { ThreadSummary } from '../../contract/app';
import type { ExportFormat } from '../../contract/commands/thread';
import type { ThreadState } from '../../contract/conversation';
import type { ThreadId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import type { Handlers } from '../../contract/rpc';
import type { Storage } from '../../storage';
import { PlainText } from '../../terminal/plain-text';
import type { TerminalSessions } from '../../terminal/sessions';
import type { ProjectRegistry } from '../project/projects';
import { importThread } from '../threads/export/import-thread';
import { searchThreads } from '../threads/search-threads';
import { findInThread } from '../threads/thread-find';
import { earlierOf, storedTail, tailOf } from '../threads/thread-pages';
import type { Turns } from '../turns/turns';
import type { Connection } from '../window/connection';
import type { ShellServices } from '../window/desktop-services';
import type { Hub } from '../window/hub';

interface Parts {
  storage: Storage;
  hub: Hub;
  turns: Turns;
  projects: ProjectRegistry;
  shell: ShellServices;
  terminals: TerminalSessions;
}

type ConversationCommand =
  | 'thread.open'
  | 'thread.earlier'
  | 'thread.find'
  | 'search.messages'
  | 'thread.export'
  | 'thread.import'
  | 'terminal.tail'
  | 'text.save';

const GONE = 'This thread does not exist any more.';
const NO_DIALOG = 'Files can only be chosen in the window.';

/** Long conversations: by the page, searched, written out and read in. */
export function conversationHandlers({
  storage,
  hub,
  turns,
  projects,
  shell,
  terminals,
}: Parts): Pick<Handlers<Connection>, ConversationCommand> {
  const isThere = (threadId: ThreadId) => storage.threads.summary(threadId) !== null;

  /** The whole thread. One that nobody has open is read for this and let go. */
  const wholeOf = (threadId: ThreadId): Result<ThreadState> => {
    const live = turns.thread(threadId);
    return live.ok ? ok(live.value.state) : live;
  };

  return {
    'thread.open': ({ threadId, last }, connection) => {
      const loaded = turns.loaded(threadId);
      const stored = last === undefined || loaded ? null : storedTail(storage, threadId, last);
      if (stored) {
        connection.followThread(threadId);
        return ok(stored);
      }
      const state = wholeOf(threadId);
      if (!state.ok) return state;
      connection.followThread(threadId);
      return ok(last === undefined ? state.value : tailOf(state.value, last));
    },
    'thread.earlier': ({ threadId, before, limit, from }) =>
      earlierOf(storage, threadId, turns.loaded(threadId), { before, limit, from }),
    'thread.find': async ({ threadId, text }, _connection, signal) => {
      if (!isThere(threadId)) return fail('not_found', GONE);
      try {
        return ok({ matches: await findInThread(storage, threadId, turns.loaded(threadId), text, signal) });
      } catch (error) {
        if (signal.aborted) return fail('cancelled', 'Cancelled.');
        throw error;
      }
    },
    'search.messages': ({ query, projectId }) => ok(searchThreads(storage, query, projectId)),
    'thread.export': async ({ threadId, format }) => {
      if (!shell.chooseSaveFile) return fail('unsupported', NO_DIALOG);
      const state = wholeOf(threadId);
      if (!state.ok) return state;
      const { name, text } = await exported(state.value, format);
      return save(shell, name, text);
    },
    'thread.import': async ({ projectId }) => {
      const project = projects.get(projectId);
      if (!project.ok) return project;
      if (!shell.chooseFile) return fail('unsupported', NO_DIALOG);
      const path = await shell.chooseFile(['json']);
      if (path === null) return ok({ thread: null });
      const made = await readThread(path);
      if (!made.ok) return made;
      const id = await importThread(storage, projectId, made.value);
      const summary: ThreadSummary | null = storage.threads.summary(id);
      if (!summary) return fail('internal', GONE);
      hub.app({ type: 'summary.changed', summary });
      return ok({ thread: summary });
    },
    'terminal.tail': ({ terminalId, lines }) => {
      const recorded = terminals.recorded(terminalId);
      return recorded.ok ? ok({ text: tailOfOutput(recorded.value.data, lines) }) : recorded;
    },
    'text.save': async ({ name, text }) =>
      shell.chooseSaveFile
        ? save(shell, name.replace(/[\\/\0]/g, '_'), text)
        : fail('unsupported', NO_DIALOG),
  };
}

/** UTF-16 units of output that its last lines are taken from, and of one line. */
const TAIL_OF = 16_384;
const LONGEST_LINE = 400;

function tailOfOutput(data: string, lines: number): string {
  let text = '';
  const plain = new PlainText((part) => {
    text += part;
  });
  plain.push(data.slice(-TAIL_OF));
  return (text + plain.current)
    .trimEnd()
    .split('\n')
    .slice(-lines)
    .map((line) => line.slice(0, LONGEST_LINE))
    .join('\n');
}

async function exported(state: ThreadState, format: ExportFormat): Promise<{ name: string; text: string }> {
  const { fileNameOf, titleOf } = await import('../threads/export/parts');
  const name = (ending: string) => fileNameOf(titleOf(state), ending);
  switch (format) {
    case 'markdown': {
      const { markdownOf } = await import('../threads/export/markdown');
      return { name: name('md'), text: markdownOf(state) };
    }
    case 'html': {
      const { htmlOf } = await import('../threads/export/html');
      return { name: name('html'), text: htmlOf(state) };
    }
    case 'json': {
      const { jsonOf } = await import('../threads/export/json');
      return { name: name('json'), text: jsonOf(state) };
    }
    default:
      return format satisfies never;
  }
}

/** Writes beside the file and renames, so that a full disk leaves what was there. */
async function save(
  shell: ShellServices,
  name: string,
  text: string,
): Promise<Result<{ path: string | null }>> {
  const path = (await shell.chooseSaveFile?.(name)) ?? null;
  if (path === null) return ok({ path });
  const beside = `${path}.${randomUUID().slice(0, 8)}.part`;
  try {
    await writeFile(beside, text, { mode: 0o600 });
    await rename(beside, path);
    return ok({ path });
  } catch (error) {
    await rm(beside, { force: true });
    return fail('storage', `The file ${path} could not be written. Choose another place.`, String(error));
  }
}

async function readThread(path: string) {
  const { MAX_IMPORT, readJson, TOO_LARGE } = await import('../threads/export/json');
  const read = await readRegularText(path, { root: null, maxBytes: MAX_IMPORT });
  if (!isRefused(read)) return readJson(read.text);
  return read.refused === 'too_large'
    ? fail('too_large', TOO_LARGE)
    : fail('not_found', `The file ${path} could not be read.`, read.code || read.refused);
}
