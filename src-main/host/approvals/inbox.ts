import { posix } from 'node:path';
import type { NativeText } from '../../../src-renderer/i18n/native';
import { isBelow } from '../../base/is-below';
import type { WaitingDecision } from '../../contract/activity';
import type { Approval } from '../../contract/approvals';
import { clearText } from '../../contract/shared/unseen';
import type { Storage } from '../../storage';
import type { DesktopServices } from '../window/desktop-services';
import type { Hub } from '../window/hub';
import { nativeTextOf } from '../window/native-language';
import { notificationLine } from '../window/notification-line';

/** Every pending approval, the oldest first. It reads only the database and loads no thread. */
export function waitingDecisions(storage: Storage): WaitingDecision[] {
  const threads = new Map(storage.threads.summaries().map((summary) => [summary.id, summary]));
  return storage.approvals
    .allWaiting()
    .flatMap((approval) => {
      const thread = threads.get(approval.threadId);
      return thread === undefined ? [] : [{ approval, projectId: thread.projectId, title: thread.title }];
    })
    .sort((a, b) => a.approval.at - b.approval.at);
}

/**
 * Shows the number of pending approvals on the icon, and a notification for each new one while no window has focus. The
 * notification disappears when its approvals are settled. Approvals from before the start are only counted. Returns a
 * function that stops it.
 */
export function watchDecisions(options: {
  storage: Storage;
  hub: Hub;
  desktop: DesktopServices;
  report: (where: string, error: unknown) => void;
}): () => void {
  const { storage, hub, desktop } = options;
  let known = new Set<string>();
  let badge = 0;
  let isDue = false;
  /** The visible notifications with their approvals. */
  let notes: { about: string[]; dismiss: () => void }[] = [];

  const isOn = () => storage.settings.read().notifications !== false;
  const count = (waiting: readonly WaitingDecision[]) => {
    const now = isOn() ? waiting.length : 0;
    if (now !== badge) desktop.setBadge?.(now);
    badge = now;
  };
  const look = () => {
    isDue = false;
    const waiting = waitingDecisions(storage);
    const fresh = waiting.filter(({ approval }) => !known.has(approval.id));
    known = new Set(waiting.map(({ approval }) => approval.id));
    count(waiting);
    const isOver = ({ about }: { about: string[] }) => about.every((id) => !known.has(id));
    for (const { dismiss } of notes.filter(isOver)) dismiss();
    notes = notes.filter((note) => !isOver(note));
    if (fresh.length === 0 || !isOn() || desktop.isFocused?.() !== false) return;
    const [first] = fresh;
    const approvalId = fresh.length === 1 && first ? first.approval.id : null;
    const words = nativeTextOf(storage, desktop);
    const projects = storage.projects.list();
    const folderOf = ({ projectId }: WaitingDecision) =>
      projects.find(({ id }) => id === projectId)?.folder ?? '/';
    const dismiss = desktop.notify?.({
      title: words('pendingDecisions', { count: fresh.length }),
      body: fresh
        .slice(0, 3)
        .map((one) => textOf(one, folderOf(one), words))
        .join('\n'),
      onClick: () => {
        desktop.showWindow?.();
        hub.app({ type: 'show.inbox', approvalId });
      },
    });
    if (dismiss) notes.push({ about: fresh.map(({ approval }) => approval.id), dismiss });
  };
  const soon = () => {
    // Events of one step arrive together and share a notification.
    if (isDue) return;
    isDue = true;
    setImmediate(() => {
      try {
        if (isDue) look();
      } catch (error) {
        options.report('decisions', error);
      }
    });
  };

  const waiting = waitingDecisions(storage);
  known = new Set(waiting.map(({ approval }) => approval.id));
  count(waiting);
  const stop = hub.onApp(({ type }) => {
    if (
      type === 'summary.changed' ||
      type === 'thread.removed' ||
      type === 'project.removed' ||
      type === 'settings.changed'
    )
      soon();
  });
  return () => {
    stop();
    isDue = false;
  };
}

/** A pending approval on one line: where, and what. */
function textOf({ approval, title }: WaitingDecision, folder: string, words: NativeText): string {
  const isCommand = approval.preview.kind === 'command' || approval.preview.kind === 'timeout';
  const text = notificationLine(aboutOf(approval, folder, words), isCommand);
  return title === '' ? text : words('inThread', { title: clearText(title), text });
}

function aboutOf({ preview, tool }: Approval, folder: string, words: NativeText): string {
  // A notification shows one line, and the end of a path says most.
  const shown = (path: string) => (isBelow(path, folder) ? posix.relative(folder, path) : path);
  switch (preview.kind) {
    case 'command':
    case 'timeout':
      return preview.command;
    case 'diff':
      return words('writes', { path: shown(preview.path) });
    case 'delete':
      return words('deletes', { path: shown(preview.path) });
    case 'questions':
      return preview.questions[0]?.question ?? tool;
    case 'form':
      return `${preview.server}: ${preview.message}`;
    case 'arguments':
    case 'problem':
      return tool;
    default:
      return preview satisfies never;
  }
}
