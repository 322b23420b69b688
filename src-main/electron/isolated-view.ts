import { randomUUID } from 'node:crypto';
import { session, WebContentsView } from 'electron';

/** Views in use. One that nothing refers to may be garbage collected, and its page disappears without an event. */
const views = new Set<WebContentsView>();

/**
 * A hidden view without a window. It has its own sandboxed process and in-memory session, gets no permissions, and reaches
 * only what `answer` returns under one scheme. It stays until its `webContents` are closed.
 */
export function isolatedView(
  scheme: string,
  answer: (request: Request) => Response | Promise<Response>,
): WebContentsView {
  // Without `persist:` the session stays in memory. The random name keeps it separate from every other one.
  const own = session.fromPartition(`isolated-${randomUUID()}`, { cache: false });
  own.setPermissionRequestHandler((_contents, _permission, allow) => allow(false));
  own.setPermissionCheckHandler(() => false);
  own.setDevicePermissionHandler(() => false);
  own.webRequest.onBeforeRequest(({ url }, decide) => decide({ cancel: !url.startsWith(`${scheme}:`) }));
  own.protocol.handle(scheme, answer);
  const view = new WebContentsView({
    webPreferences: {
      session: own,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      backgroundThrottling: false,
      spellcheck: false,
    },
  });
  const { webContents } = view;
  views.add(view);
  webContents.once('destroyed', () => views.delete(view));
  webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
  webContents.on('will-navigate', (event) => event.preventDefault());
  webContents.on('will-attach-webview', (event) => event.preventDefault());
  return view;
}
