import { app, BrowserWindow, Notification } from 'electron';
import type { DesktopServices } from '../host/window/desktop-services';
import { asMarkup } from '../host/window/notification-line';

/** Desktop notifications of Deepdesk. `showWindow` brings a window to the front. */
export function notifications(
  showWindow: () => void,
): Required<Pick<DesktopServices, 'notify' | 'setBadge' | 'isFocused' | 'showWindow'>> {
  /** Keeps a reference until they close: a garbage-collected notification receives no click. */
  const shown = new Set<Notification>();
  return {
    notify: ({ title, body, onClick }) => {
      if (!Notification.isSupported()) return () => undefined;
      // Electron passes the text on as it is. A title has no markup.
      const shownBody = process.platform === 'linux' ? asMarkup(body) : body;
      const notification = new Notification({ title, body: shownBody });
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
