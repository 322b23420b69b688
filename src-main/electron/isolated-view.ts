import { randomUUID } from 'node:crypto';
import { session, WebContentsView } from 'electron';

/**
 * A view in no window, which is never shown: in a sandboxed process and a session of its own, in memory only, that may
 * ask for nothing and reaches nothing but what `answer` gives it under one scheme.
 */
export function isolatedView(
  scheme: string,
  answer: (request: Request) => Response | Promise<Response>,
): WebContentsView {
  // Without `persist:` it is kept in memory; the name is new, so that nothing is left of another one.
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
