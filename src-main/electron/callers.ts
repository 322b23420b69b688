import { stat } from 'node:fs/promises';
import { app, BrowserWindow, dialog, ipcMain } from 'electron';
import { z } from 'zod';
import type { NativeText } from '../../src-renderer/i18n/native';
import type { Host } from '../host/host';
import { showThread } from '../host/window/show-thread';
import { SCHEME, type Wish, wishesOf, wishOfLink } from './outside';

const Dropped = z.array(z.string().min(1).max(10_000)).max(1_000);

/** What a second instance passes to the first. */
const Handed = z.object({ args: z.array(z.string().max(10_000)).max(200), cwd: z.string().max(10_000) });
type Handed = z.infer<typeof Handed>;

/** The command line of this start, without the program. */
export const ownStart = (): Handed => ({ args: process.argv.slice(1), cwd: process.cwd() });

/** Maximum number of dropped folders that the question names. */
const MAX_NAMED = 10;

/**
 * Listens to requests from outside the app: the command line, a second instance, the system's "open with", deep links and
 * folders dropped on a window. A folder that the person named is opened; one from a link waits for confirmation. Call before
 * the app is ready.
 */
export function callers(options: {
  host: () => Promise<Host>;
  words: () => NativeText;
  showWindow: () => void;
  report: (where: string, error: unknown) => void;
}): void {
  const { report } = options;
  const grant = async (wish: Wish) => {
    const host = await options.host();
    if (wish.kind === 'thread') {
      host.offers.show(showThread(host.storage, wish.threadId));
      return;
    }
    const known = host.storage.projects.list().find(({ folder }) => folder === wish.folder);
    if (known !== undefined) host.offers.show({ type: 'show.project', projectId: known.id });
    else if (wish.by === 'link') host.offers.add(wish.folder);
    else await host.openFolder(wish.folder);
  };
  const grantAll = (wishes: readonly (Wish | null)[]) => {
    for (const wish of wishes) {
      if (wish !== null) grant(wish).catch((error: unknown) => report('outside', error));
    }
  };
  const { args, cwd } = ownStart();
  grantAll(wishesOf(args, cwd, app.getAppPath()));

  app.on('second-instance', (_event, _args, _cwd, data) => {
    options.showWindow();
    const handed = Handed.safeParse(data);
    if (handed.success) grantAll(wishesOf(handed.data.args, handed.data.cwd, app.getAppPath()));
  });
  app.on('open-url', (event, url) => {
    event.preventDefault();
    grantAll([wishOfLink(url)]);
  });
  app.on('open-file', (event, path) => {
    event.preventDefault();
    grantAll([{ kind: 'folder', folder: path, by: 'person' }]);
  });
  // The preload reports what was dropped. A compromised renderer could send this too, so a native dialog asks the person.
  ipcMain.on('dropped', (event, paths: unknown) => {
    const dropped = Dropped.safeParse(paths);
    if (!dropped.success || event.senderFrame !== event.sender.mainFrame) return;
    askFor(dropped.data, BrowserWindow.fromWebContents(event.sender), options.words()).then(
      grantAll,
      (error: unknown) => report('outside', error),
    );
  });
  // On Linux the desktop entry registers it.
  if (app.isPackaged && process.platform !== 'linux') app.setAsDefaultProtocolClient(SCHEME);
}

/** Returns the dropped folders that the person agrees to open. */
async function askFor(paths: string[], window: BrowserWindow | null, words: NativeText): Promise<Wish[]> {
  const found = await Promise.all(paths.map(async (path) => ((await isFolder(path)) ? path : null)));
  const folders = found.filter((path) => path !== null);
  if (folders.length === 0 || window === null) return [];
  const rest = folders.length - MAX_NAMED;
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: words('dropQuestion', { count: folders.length }),
    detail: [...folders.slice(0, MAX_NAMED), ...(rest > 0 ? [words('andMore', { count: rest })] : [])].join(
      '\n',
    ),
    buttons: [words('doNotOpen'), words('openFolder')],
    defaultId: 1,
    cancelId: 0,
  });
  return response === 1 ? folders.map((folder) => ({ kind: 'folder', folder, by: 'person' })) : [];
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
