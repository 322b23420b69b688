import { app, BrowserWindow, Notification } from 'electron';
import type { ShellServices } from '../host/window/desktop-services';

/** What the system shows of Deepdesk beside its windows. `showWindow` brings one to the front. */
export function notifications(
  showWindow: () => void,
): Required<Pick<ShellServices, 'notify' | 'setBadge' | 'isFocused' | 'showWindow'>> {
  /** Held until they are gone: a notification that is collected takes no click. */
  const shown = new Set<Notification>();
  return {
    notify: ({ title, body, onClick }) => {
      if (!Notification.isSupported()) return () => undefined;
      const notification = new Notification({ title, body });
      shown.add(notification);
      notification.on('click', () => {
        shown.delete(notification);
        onClick();
      });
      notification.on('close', () => shown.delete(notification));
      notification.on('failed', () => shown.delete(notification));
      notification.show();
      return () => {
        if (shown.delete(notification)) notification.close();
      };
    },
    setBadge: (count) => void app.setBadgeCount(count),
    isFocused: () => BrowserWindow.getFocusedWindow() !== null,
    showWindow,
  };
}
