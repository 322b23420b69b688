import type { RemoteTask } from '../../contract/agents';
import type { Storage } from '../../storage';
import type { ShellServices } from '../window/desktop-services';
import type { Hub } from '../window/hub';
import { nativeTextOf } from '../window/native-language';

/** Maximum UTF-16 units of the task's text in a notification. */
const MAX_LENGTH = 140;

/** Notifies the person that a remote agent has finished a task, while no window has focus. */
export function tellTaskEnded(
  { agentName, description, status, threadId }: RemoteTask,
  { storage, hub, shell }: { storage: Storage; hub: Hub; shell: ShellServices },
): void {
  if (shell.isFocused?.() !== false || storage.settings.read().turnNotifications === false) return;
  const t = nativeTextOf(storage, shell);
  const about = description.replaceAll(/\s+/g, ' ');
  shell.notify?.({
    title: t(status === 'success' ? 'taskDone' : 'taskFailed', { agent: agentName }),
    body: about.length > MAX_LENGTH ? `${about.slice(0, MAX_LENGTH)}…` : about,
    onClick: () => {
      shell.showWindow?.();
      hub.app({ type: 'show.thread', threadId });
    },
  });
}
