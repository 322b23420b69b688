import type { TerminalInfo } from '../../contract/app';
import type { TerminalId } from '../../contract/ids';
import type { Storage } from '../../storage';
import type { DesktopServices } from '../window/desktop-services';
import type { Hub } from '../window/hub';
import { nativeTextOf } from '../window/native-language';
import { notificationLine } from '../window/notification-line';
import { showThread } from '../window/show-thread';

/**
 * Shows a notification when a command of the agent waits for the person to type, while no window has focus. It disappears
 * when the command no longer waits. Returns a function that stops it.
 */
export function notifyAwaitedInput(options: {
  storage: Storage;
  hub: Hub;
  desktop: DesktopServices;
  report: (where: string, error: unknown) => void;
}): () => void {
  const { storage, hub, desktop } = options;
  const shown = new Map<TerminalId, (() => void) | undefined>();
  const tell = ({ id, threadId, command, awaitsInput }: TerminalInfo) => {
    if (awaitsInput !== true) {
      shown.get(id)?.();
      shown.delete(id);
      return;
    }
    if (shown.has(id) || threadId === null) return;
    if (desktop.isFocused?.() !== false || storage.settings.read().notifications === false) return;
    const dismiss = desktop.notify?.({
      title: nativeTextOf(storage, desktop)('awaitsInput'),
      body: notificationLine(command, true),
      onClick: () => {
        desktop.showWindow?.();
        hub.app(showThread(storage, threadId));
      },
    });
    shown.set(id, dismiss ?? undefined);
  };
  return hub.onApp((event) => {
    if (event.type !== 'terminal.changed') return;
    try {
      tell(event.terminal);
    } catch (error) {
      options.report('input', error);
    }
  });
}
