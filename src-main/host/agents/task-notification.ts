import type { RemoteTask } from '../../contract/agents';
import type { Storage } from '../../storage';
import type { ShellServices } from '../window/desktop-services';
import type { Hub } from '../window/hub';
import { nativeTextOf } from '../window/native-language';
import { notificationLine } from '../window/notification-line';

/** Notifies the person that a remote agent has finished a task, while no window has focus. */
export function tellTaskEnded(
  { agentName, description, status, threadId }: RemoteTask,
  { storage, hub, shell }: { storage: Storage; hub: Hub; shell: ShellServices },
): void {
  if (shell.isFocused?.() !== false || storage.settings.read().turnNotifications === false) return;
  const t = nativeTextOf(storage, shell);
  shell.notify?.({
    title: t(status === 'success' ? 'taskDone' : 'taskFailed', { agent: agentName }),
    body: notificationLine(description),
    onClick: () => {
      shell.showWindow?.();
      hub.app({ type: 'show.thread', threadId });
    },
  });
}
