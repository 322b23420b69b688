import { createHash } from 'node:crypto';
import type { WebContentsView } from 'electron';
import type { DesktopServices } from '../host/window/desktop-services';
import { APP_SCHEME, answerOf } from './app-protocol';
import { isolatedView } from './isolated-view';

/** Milliseconds for one diagram, and for loading the page with its packages. */
const DRAWN_WITHIN = 5_000;
const LOADED_WITHIN = 20_000;
/** Milliseconds without a diagram before the view is closed. */
const IDLE_FOR = 60_000;
/** Maximum number of sources that are remembered as too slow and not tried again. */
const MAX_SLOW = 200;

interface Drawer {
  view: WebContentsView;
  loaded: Promise<void>;
}

/**
 * Draws diagrams, one at a time, in a hidden view. The view has its own sandboxed process and an in-memory session that
 * reaches only the page's own files. `folder`: the folder of the pages. Null: drawing took too long.
 */
export function diagramDrawer(
  folder: string,
): Required<Pick<DesktopServices, 'drawDiagram' | 'drawVectors'>> {
  let drawer: Drawer | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  const slow = new Set<string>();

  const end = () => {
    const ending = drawer;
    drawer = null;
    if (ending === null || ending.view.webContents.isDestroyed()) return;
    // A renderer in an endless loop reacts to nothing else.
    ending.view.webContents.forcefullyCrashRenderer();
    ending.view.webContents.close();
  };
  const drawOne = async (code: string) => {
    clearTimeout(idle);
    drawer ??= openDrawer(folder);
    const { view, loaded } = drawer;
    const { webContents } = view;
    try {
      await within(loaded, LOADED_WITHIN, webContents);
      const drawn: unknown = await within(webContents.executeJavaScript(code), DRAWN_WITHIN, webContents);
      return drawn;
    } catch (error) {
      if (!(error instanceof TooSlow)) throw error;
      end();
      return null;
    } finally {
      idle = setTimeout(end, IDLE_FOR);
      idle.unref();
    }
  };
  const draw = (source: string, code: string) => {
    const digest = createHash('sha256').update(source).digest('hex');
    const drawing = last.then(async () => {
      if (slow.has(digest)) return null;
      const drawn = await drawOne(code);
      if (drawn !== null) return drawn;
      const [oldest] = slow;
      if (slow.size >= MAX_SLOW && oldest !== undefined) slow.delete(oldest);
      slow.add(digest);
      return null;
    });
    last = drawing.catch(() => undefined);
    return drawing;
  };
  return {
    drawDiagram: (source, dark) => draw(source, `drawDiagram(${JSON.stringify(source)}, ${dark})`),
    drawVectors: (base64) => draw(base64, `drawVectors(${JSON.stringify(base64)})`),
  };
}

class TooSlow extends Error {}

/** Rejects with `TooSlow` after that time or when the process is gone. */
async function within<T>(work: Promise<T>, milliseconds: number, contents: Electron.WebContents): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let gone = () => {};
  try {
    return await Promise.race([
      work,
      new Promise<never>((_resolve, reject) => {
        gone = () => reject(new TooSlow());
        timer = setTimeout(gone, milliseconds);
        contents.once('render-process-gone', gone);
      }),
    ]);
  } finally {
    clearTimeout(timer);
    contents.off('render-process-gone', gone);
  }
}

function openDrawer(folder: string): Drawer {
  const view = isolatedView(APP_SCHEME, ({ url }) => answerOf(folder, url));
  view.setBounds({ x: 0, y: 0, width: 1_200, height: 800 });
  const { webContents } = view;
  const loaded = webContents.loadURL(`${APP_SCHEME}://deepdesk/diagram.html`);
  // The caller that awaits it handles the error.
  loaded.catch(() => undefined);
  return { view, loaded };
}
