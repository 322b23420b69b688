import type { RemoteTask } from '../../contract/agents';
import type { Storage } from '../../storage';
import type { DesktopServices } from '../window/desktop-services';
import type { Hub } from '../window/hub';
import { nativeTextOf } from '../window/native-language';
import { notificationLine } from '../window/notification-line';
import { showThread } from '../window/show-thread';

/** Notifies the person that a remote agent has finished a task, while no window has focus. */
export function notifyEndedTask(
  { agentName, description, status, threadId }: RemoteTask,
  { storage, hub, desktop }: { storage: Storage; hub: Hub; desktop: DesktopServices },
): void {
  if (desktop.isFocused?.() !== false || storage.settings.read().turnNotifications === false) return;
  const t = nativeTextOf(storage, desktop);
  desktop.notify?.({
    title: t(status === 'success' ? 'taskDone' : 'taskFailed', { agent: agentName }),
    body: notificationLine(description),
    onClick: () => {
      desktop.showWindow?.();
      hub.app(showThread(storage, threadId));
    },
  });
}
