import { app, session } from 'electron';

/** A name that never resolves (RFC 6761). */
const NOWHERE = 'http://none.invalid:1';

/**
 * Keeps Chromium off the network: the renderer gets everything from the main process, and the content security policy covers
 * neither WebRTC nor DNS lookups. Requests of the main process use Node and are not affected. Call before the app is ready.
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

/** Requests of the renderer go to a proxy that does not exist, including WebRTC over TCP. */
const closeSession = (own: Electron.Session): Promise<void> =>
  own.setProxy({ mode: 'fixed_servers', proxyRules: NOWHERE, proxyBypassRules: '<-loopback>' });
