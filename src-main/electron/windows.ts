import { join } from 'node:path';
import { BrowserWindow, MessageChannelMain, type MessagePortMain, nativeTheme, screen } from 'electron';
import type { Port } from '../contract/rpc';
import { APP_URL } from './app-protocol';
import { placeOf, type WindowBounds } from './window-state';

/** Times that a page which died is loaded again within so many milliseconds. */
const MAX_DEATHS = 3;
const DEATHS_WITHIN = 60_000;
const USUAL_SIZE = { width: 1280, height: 800 };

/** Electron's port as the contract's Port. */
function wrapPort(port: MessagePortMain): Port {
  return {
    post: (message) => port.postMessage(message),
    listen: (receive) => {
      const onMessage = (event: { data: unknown }) => receive(event.data);
      port.on('message', onMessage);
      port.start();
      return () => port.off('message', onMessage);
    },
    onClose: (closed) => {
      port.on('close', closed);
      return () => port.off('close', closed);
    },
  };
}

/**
 * A sandboxed window on the app's page. Each time the page has loaded it is handed a port of its own; the page can
 * navigate nowhere and open nothing.
 */
export function openWindow(options: {
  out: string;
  /** The app's own files. */
  resources: string;
  bounds: WindowBounds | null;
  /** What it shows, by the key of that in the page's storage; null: the first window's. */
  view: string | null;
  /** What the page kept of what it showed is of data that is not there. */
  isNew: boolean;
  onPort: (port: Port) => void;
  /** Its first words are on the screen. */
  onPainted: () => void;
  onBounds: (bounds: WindowBounds) => void;
  /** The page died more often than it makes sense to load it again. */
  onHopeless: (reason: string) => void;
}): BrowserWindow {
  const window = new BrowserWindow({
    ...(options.bounds ? placeOf(options.bounds, areaOf(options.bounds)) : USUAL_SIZE),
    minWidth: 560,
    minHeight: 400,
    show: false,
    title: 'Deepdesk',
    // The packages of macOS and Windows carry the icon themselves.
    ...(process.platform === 'linux' ? { icon: join(options.resources, 'icon.png') } : {}),
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#14161a' : '#fcfcfd',
    autoHideMenuBar: true,
    webPreferences: {
      preload: join(options.out, 'preload/preload.cjs'),
      additionalArguments: [
        ...(options.view === null ? [] : [`--deepdesk-view=${options.view}`]),
        ...(options.isNew ? ['--deepdesk-new'] : []),
      ],
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      // What Chromium makes of the page's scripts is kept from the first start on, not from the third.
      v8CacheOptions: 'bypassHeatCheck',
      // Elsewhere the words would be fetched from the network.
      spellcheck: process.platform === 'darwin',
    },
  });
  window.once('ready-to-show', () => {
    if (options.bounds?.maximized === true) window.maximize();
    window.show();
  });
  const { webContents } = window;
  webContents.ipc.once('painted', options.onPainted);
  webContents.on('will-navigate', (event) => event.preventDefault());
  webContents.on('will-frame-navigate', (event) => event.preventDefault());
  // An empty page is gone to without being announced.
  webContents.on('did-navigate', (_event, url) => {
    if (url !== APP_URL) void window.loadURL(APP_URL);
  });
  webContents.on('will-attach-webview', (event) => event.preventDefault());
  webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
  webContents.on('did-finish-load', () => {
    // No other page can come here; if one did, it would find no door.
    if (webContents.getURL() !== APP_URL) return;
    const { port1, port2 } = new MessageChannelMain();
    options.onPort(wrapPort(port1));
    webContents.postMessage('port', null, [port2]);
  });
  // A page that died is loaded again; what it showed lives in the main process. One that dies again and again is not.
  const deaths: number[] = [];
  webContents.on('render-process-gone', (_event, details) => {
    if (details.reason === 'clean-exit' || window.isDestroyed()) return;
    const now = performance.now();
    deaths.push(now);
    if (deaths.filter((at) => now - at < DEATHS_WITHIN).length > MAX_DEATHS)
      options.onHopeless(details.reason);
    else webContents.reload();
  });
  const saveBounds = () => {
    if (window.isMinimized() || window.isFullScreen()) return;
    options.onBounds({ ...window.getNormalBounds(), ...(window.isMaximized() ? { maximized: true } : {}) });
  };
  window.on('resized', saveBounds);
  window.on('moved', saveBounds);
  window.on('maximize', saveBounds);
  window.on('unmaximize', saveBounds);
  window.on('close', saveBounds);
  void window.loadURL(APP_URL);
  return window;
}

/** The screen on which a window was, or the one nearest to it. */
function areaOf({ x, y, width, height }: WindowBounds): Electron.Rectangle {
  return x === undefined || y === undefined
    ? screen.getPrimaryDisplay().workArea
    : screen.getDisplayMatching({ x, y, width, height }).workArea;
}
