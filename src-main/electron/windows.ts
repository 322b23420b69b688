import { join } from 'node:path';
import { BrowserWindow, MessageChannelMain, type MessagePortMain, nativeTheme, screen } from 'electron';
import type { Port } from '../contract/rpc';
import { APP_URL } from './app-protocol';
import { placeOf, type WindowBounds } from './window-state';

/** Maximum number of reloads of a crashed page within this many milliseconds. */
const MAX_DEATHS = 3;
const DEATHS_WITHIN = 60_000;
/** Milliseconds after the last move of a window until its place is saved. Linux reports no end of a move. */
const SETTLED_AFTER = 300;
const USUAL_SIZE = { width: 1280, height: 800 };

/** Adapts Electron's port to the contract's Port. */
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
 * Opens a sandboxed window on the app's page. Each time the page loads it gets a new port. The page cannot navigate or open
 * anything.
 */
export function openWindow(options: {
  out: string;
  /** The app's own files. */
  resources: string;
  bounds: WindowBounds | null;
  /** The storage key of its view; null: the first window's. */
  view: string | null;
  /** The state that the page saved belongs to data that no longer exists. */
  isNew: boolean;
  onPort: (port: Port) => void;
  /** Called after its first text is on the screen. */
  onPainted: () => void;
  onBounds: (bounds: WindowBounds) => void;
  /** Called when the page has crashed too often to load it again. */
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
      // Chromium caches compiled scripts from the first start instead of the third.
      v8CacheOptions: 'bypassHeatCheck',
      // On other systems the dictionaries would be downloaded.
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
  // Navigation to an empty page is not announced.
  webContents.on('did-navigate', (_event, url) => {
    if (url !== APP_URL) void window.loadURL(APP_URL);
  });
  webContents.on('will-attach-webview', (event) => event.preventDefault());
  webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
  webContents.on('did-finish-load', () => {
    // No other page should load here; if one did, it would get no port.
    if (webContents.getURL() !== APP_URL) return;
    const { port1, port2 } = new MessageChannelMain();
    options.onPort(wrapPort(port1));
    webContents.postMessage('port', null, [port2]);
  });
  // A crashed page is reloaded, since its state lives in the main process. One that keeps crashing is not.
  const deaths: number[] = [];
  webContents.on('render-process-gone', (_event, details) => {
    if (details.reason === 'clean-exit' || window.isDestroyed()) return;
    const now = performance.now();
    deaths.push(now);
    if (deaths.filter((at) => now - at < DEATHS_WITHIN).length > MAX_DEATHS)
      options.onHopeless(details.reason);
    else webContents.reload();
  });
  let settling: NodeJS.Timeout | undefined;
  const saveBounds = () => {
    clearTimeout(settling);
    if (window.isMinimized() || window.isFullScreen()) return;
    options.onBounds({ ...window.getNormalBounds(), ...(window.isMaximized() ? { maximized: true } : {}) });
  };
  const saveSoon = () => {
    clearTimeout(settling);
    settling = setTimeout(saveBounds, SETTLED_AFTER);
  };
  window.on('resize', saveSoon);
  window.on('move', saveSoon);
  window.on('maximize', saveBounds);
  window.on('unmaximize', saveBounds);
  window.on('close', saveBounds);
  window.on('closed', () => clearTimeout(settling));
  void window.loadURL(APP_URL);
  return window;
}

/** The work area of the screen that had the window, or of the nearest one. */
function areaOf({ x, y, width, height }: WindowBounds): Electron.Rectangle {
  return x === undefined || y === undefined
    ? screen.getPrimaryDisplay().workArea
    : screen.getDisplayMatching({ x, y, width, height }).workArea;
}
