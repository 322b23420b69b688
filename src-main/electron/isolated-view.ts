import { randomUUID } from 'node:crypto';
import { session, WebContentsView } from 'electron';

/**
 * A hidden view without a window. It has its own sandboxed process and in-memory session, gets no permissions, and reaches
 * only what `answer` returns under one scheme.
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
  webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
  webContents.on('will-navigate', (event) => event.preventDefault());
  webContents.on('will-attach-webview', (event) => event.preventDefault());
  return view;
}
