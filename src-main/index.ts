import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { app, BrowserWindow, dialog, powerMonitor } from 'electron';
import { nativeText } from '../src-renderer/i18n/native';
import type { AppSnapshot } from './contract/app';
import { type AppError, fail } from './contract/result';
import { because } from './contract/shared/reasons';
import { registerScheme, serveApp } from './electron/app-protocol';
import { callers, ownStart } from './electron/callers';
import { serveContent } from './electron/content-protocol';
import { diagramDrawer } from './electron/diagram-view';
import { type ErrorLog, openErrorLog } from './electron/error-log';
import { hasGraphicsCard } from './electron/graphics';
import { canHoldLock } from './electron/instance-lock';
import { openMenus } from './electron/menus';
import { notifications } from './electron/notifications';
import { keepPagesOffline } from './electron/offline-pages';
import { quitting } from './electron/quit';
import { reporter } from './electron/report';
import { isSafeMode, offerSafeMode, safeModeCommand, withoutSavedWindows } from './electron/safe-mode';
import { sandboxWarning } from './electron/sandbox-warning';
import { dataDir, electronServices } from './electron/services';
import { openWindows } from './electron/several-windows';
import { saySlowData } from './electron/slow-data';
import { hasShownData, openWindowState, type SavedWindow, type WindowBounds } from './electron/window-state';
import { openWindow } from './electron/windows';
import type { Host } from './host/host';
import type { DesktopServices } from './host/window/desktop-services';
import { mainLanguage } from './host/window/native-language';
import { redact } from './models/redact';
import { takeSecrets } from './secrets/environment';
import { updatesFor } from './updates/installed';
import type { UpdateSource } from './updates/updates';

/** The version of Electron that the app is made for: set by the build. */
declare const __ELECTRON__: string;
/** The feed of new versions and the key that signs it, from project.json: set by the build. */
declare const __UPDATES__: UpdateSource;

let log: ErrorLog | null = null;
// Before anything else can fail.
const report = reporter(redact, (where, error) => log?.error(where, error));
// Before any page is made: each gets a copy of what is left.
const environment = takeSecrets(process.env);

// The app that people install takes its parts from its own folder, whatever the environment says.
if (app.isPackaged) delete process.env.DEEPDESK_SQLITE_BINDING;
// Left to the system, this signal ends a process that does not let itself be debugged.
process.on('SIGUSR1', () => undefined);

const safeMode = isSafeMode();
if (safeMode || !hasGraphicsCard()) app.disableHardwareAcceleration();

const out = join(import.meta.dirname, '..');
const resources = app.isPackaged ? process.resourcesPath : join(out, '../resources');

const updates = updatesFor(
  { isPackaged: app.isPackaged, platform: process.platform, resources, env: process.env, exists: existsSync },
  __UPDATES__,
);

/** What the person should know of this run before they do anything. Missing keychains are told where keys are entered. */
function warnings(): AppSnapshot['warnings'] {
  const sandboxOff = sandboxWarning(process.env.DEEPDESK_SANDBOX_OFF);
  return [
    ...(safeMode ? [{ id: 'safe_mode', why: because('safe_mode') }] : []),
    ...(sandboxOff ? [{ id: 'sandbox', why: sandboxOff }] : []),
  ];
}

/** Milliseconds that the host waits at most for the page to be served, and to be painted: a window that nobody sees is not. */
const PAGE_FIRST_FOR = 1_000;
const PAINT_FIRST_FOR = 400;

let running: Host | null = null;
/** Until the host is up nobody knows what the person chose: the system's language until then. */
const language = () => mainLanguage(running?.storage.settings.read().language ?? 'system', app.getLocale());
const words = () => nativeText(language());
const quit = quitting({
  host: () => running,
  words,
  isLast: (window) => BrowserWindow.getAllWindows().every((other) => other === window),
  report,
});

async function start(): Promise<void> {
  log = openErrorLog(join(dataDir(), 'logs'));
  const mode = safeMode ? ', safe mode' : '';
  log.note(`start ${app.getVersion()}, Electron ${process.versions.electron}${mode}`);
  const { pageServed } = serveApp(join(out, 'renderer'));
  serveContent(async (token) => (await ready).contentOf(token));
  const saved = openWindowState(dataDir());
  const windowState = safeMode ? withoutSavedWindows(saved) : saved;
  const isNew = !hasShownData(dataDir());
  // The window comes up while the host loads; a page that is ready first waits for its port.
  let resolve: (host: Host) => void = () => undefined;
  const ready = new Promise<Host>((settle) => {
    resolve = settle;
  });
  let onPainted: () => void = () => undefined;
  const painted = new Promise<void>((settle) => {
    onPainted = settle;
  });
  const windows = openWindows({
    state: windowState,
    open: (saved, onBounds) => open(saved, onBounds),
  });
  const open = ({ view, bounds }: SavedWindow, onBounds: (bounds: WindowBounds) => void) => {
    const window = openWindow({
      out,
      resources,
      view,
      bounds,
      isNew,
      onBounds,
      onHopeless: (reason) => {
        report('window', `The page died several times in a row (${reason}).`);
        offerSafeMode(words(), quit.now).catch((error: unknown) => report('window', error));
      },
      onPainted,
      onPort: (port) => void ready.then((host) => host.connect(port)),
    });
    quit.watch(window);
    menus.watch(window);
    return window;
  };
  const services = {
    ...electronServices(words),
    ...notifications(windows.show),
    openWindow: windows.add,
    ...diagramDrawer(join(out, 'renderer')),
  };
  const menus = openMenus({
    icon: join(resources, 'icon.png'),
    words,
    showWindow: services.showWindow,
    openExternal: services.openExternal,
    report,
  });
  windows.restore();
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) windows.restore();
  });
  callers({ host: () => ready, words, showWindow: services.showWindow, report });

  const restart = () => {
    // The program of an AppImage is gone when its process ends.
    app.relaunch(updates.appImage === null ? {} : { execPath: updates.appImage });
    quit.now();
  };
  const desktop = { ...services, setMenu: menus.set, locale: () => app.getLocale(), restart };
  // Loading the host holds this thread, which also serves the page and helps to show it: the page goes first, as far as the
  // field that one writes in. Where nothing is known of it, as at a first start, it waits for the host itself.
  await Promise.race([pageServed, sleep(PAGE_FIRST_FOR)]);
  if (!isNew) await Promise.race([painted, sleep(PAINT_FIRST_FOR)]);
  running = await openHost(desktop);
  const { routines } = running;
  // Timers stand still while the computer sleeps.
  powerMonitor.on('resume', () => routines.check());
  resolve(running);
}

/** Applies a restored backup or a wipe, then opens the data. Throws what the person is told if that fails. */
async function openHost(desktop: DesktopServices): Promise<Host> {
  const { applyPending } = await import('./host/settings/pending-data');
  const restored = applyPending(dataDir()).map((why) => ({ id: 'pending', why }));
  const { createHost } = await import('./host/host');
  const opened = await createHost({
    dataDir: dataDir(),
    desktop,
    version: app.getVersion(),
    ...(process.versions.electron === __ELECTRON__ ? {} : { fallbackRuntime: process.versions.electron }),
    env: environment,
    warnings: [...warnings(), ...restored],
    safeMode,
    updates: {
      ...updates,
      platform: process.platform,
      arch: process.arch,
      folder: join(dataDir(), 'updates'),
      configFile: join(resources, 'app-update.yml'),
    },
    licenses: () => readFile(join(import.meta.dirname, 'licenses.json'), 'utf8'),
    logLines: () => log?.lines() ?? [],
    sampleFolder: join(resources, 'sample-project'),
    skillsFolder: join(resources, 'skills'),
    // Journeys that count requests turn it off.
    titles: process.env.DEEPDESK_TITLES !== 'off',
    schedules: !safeMode,
    onSlowData: () => saySlowData(words, report),
    report,
  });
  if (!opened.ok) throw await inWords(opened.error);
  return opened.value;
}

async function inWords(error: AppError): Promise<Error> {
  const { errorIn } = await import('../src-renderer/i18n/errors');
  return new Error(errorIn(language(), error).message);
}

function cannotStart(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  report('cannot start', error);
  dialog.showErrorBox(
    words()('noStart'),
    words()('noStartDetail', { message, folder: dataDir(), command: safeModeCommand() }),
  );
  app.exit(1);
}

// Another data folder is another Deepdesk: with its own view state, and its own single instance.
if (process.env.DEEPDESK_DATA_DIR && !app.commandLine.hasSwitch('user-data-dir')) {
  app.setPath('userData', join(process.env.DEEPDESK_DATA_DIR, 'profile'));
}
// A page's messages hold memory outside of its heap until it is collected. So that is done when the heap has grown by half;
// left to itself, V8 waits until it is several times as large, which a flood of output makes tens of megabytes.
if (!app.commandLine.hasSwitch('js-flags'))
  app.commandLine.appendSwitch('js-flags', '--heap-growing-percent=50');
registerScheme();
keepPagesOffline();
if (app.requestSingleInstanceLock(ownStart())) {
  app.on('window-all-closed', () => app.quit());
  void app
    .whenReady()
    .then(() => {
      // Not before: Chromium sets handlers of its own on its way up, and they would ask.
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => quit.now());
      quit.withSystem(powerMonitor);
      return start();
    })
    .catch(cannotStart);
} else if (canHoldLock(app.getPath('userData'))) {
  app.quit();
} else {
  void app
    .whenReady()
    .then(() => inWords(fail('storage', 'data_folder_unwritable').error))
    .then(cannotStart);
}
