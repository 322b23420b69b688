import type { ThreadSummary } from '../../contract/app';
import type { ThreadId } from '../../contract/ids';
import { clearText } from '../../contract/shared/unseen';
import type { Storage } from '../../storage';
import type { DesktopServices } from '../window/desktop-services';
import type { Hub } from '../window/hub';
import { nativeTextOf } from '../window/native-language';
import { showThread } from '../window/show-thread';

/**
 * Shows a notification when the agent has finished a turn or could not continue, while no window has focus. It disappears
 * when the person opens the thread, the thread goes on, or it is deleted. inbox.ts handles pending approvals. Returns a
 * function that stops it.
 */
export function notifyFinishedTurns(options: {
  storage: Storage;
  hub: Hub;
  desktop: DesktopServices;
  report: (where: string, error: unknown) => void;
}): () => void {
  const { storage, hub, desktop } = options;
  const before = new Map<ThreadId, ThreadSummary['status']>();
  const shown = new Map<ThreadId, () => void>();
  const dismiss = (id: ThreadId) => {
    shown.get(id)?.();
    shown.delete(id);
  };
  const tell = ({ id, title, status, unread }: ThreadSummary) => {
    const was = before.get(id);
    before.set(id, status);
    if (status === 'running' || unread !== true) dismiss(id);
    if (was !== 'running' || (status !== 'idle' && status !== 'failed')) return;
    if (desktop.isFocused?.() !== false || storage.settings.read().turnNotifications === false) return;
    const t = nativeTextOf(storage, desktop);
    const close = desktop.notify?.({
      title: t(status === 'failed' ? 'failed' : 'finished'),
      body: title === '' ? t('untitled') : clearText(title),
      onClick: () => {
        desktop.showWindow?.();
        hub.app(showThread(storage, id));
      },
    });
    if (close) shown.set(id, close);
  };
  return hub.onApp((event) => {
    try {
      if (event.type === 'thread.removed') {
        before.delete(event.threadId);
        dismiss(event.threadId);
      }
      if (event.type === 'summary.changed') tell(event.summary);
    } catch (error) {
      options.report('finished', error);
    }
  });
}
