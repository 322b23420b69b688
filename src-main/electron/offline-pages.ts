import { app, session } from 'electron';

/** A name that never exists (RFC 6761). */
const NOWHERE = 'http://none.invalid:1';

/**
 * Pages need no network: everything they show comes from the main process. The content security policy does not cover
 * WebRTC or lookups of names, so Chromium itself reaches nothing. The main process makes its requests with Node, which this
 * does not concern. Call before the app is ready.
 */
export function keepPagesOffline(): void {
  app.commandLine.appendSwitch('force-webrtc-ip-handling-policy', 'disable_non_proxied_udp');
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND');
  app.commandLine.appendSwitch('dns-prefetch-disable');
  app.on('session-created', (own) => void closeSession(own));
  app.on('web-contents-created', (_event, contents) =>
    contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp'),
  );
  void app.whenReady().then(() => closeSession(session.defaultSession));
}

/** What a page asks for goes to a proxy that does not exist, WebRTC over TCP too. */
const closeSession = (own: Electron.Session): Promise<void> =>
  own.setProxy({ mode: 'fixed_servers', proxyRules: NOWHERE, proxyBypassRules: '<-loopback>' });
