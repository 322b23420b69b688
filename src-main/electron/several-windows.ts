import { app, BrowserWindow } from 'electron';
import type { openWindowState, SavedWindow, WindowBounds } from './window-state';

/** Pixels between a window and one opened from it. */
const BESIDE = 28;

export interface Windows {
  /** Opens the windows of the last run. */
  restore(): void;
  /** Opens a window with that view, or brings the one that has it to the front. Returns the views of all windows. */
  add(view: string): string[];
  /** Brings the last active window to the front, or opens the windows of the last run. */
  show(): void;
}

/**
 * Manages all windows and restores them in place after a restart. A window closed while others stay open is not restored;
 * windows closed by quitting, and the last one, are.
 */
export function openWindows(options: {
  state: ReturnType<typeof openWindowState>;
  open: (saved: SavedWindow, onBounds: (bounds: WindowBounds) => void) => BrowserWindow;
}): Windows {
  const { state } = options;
  const windows = new Map<BrowserWindow, SavedWindow>();
  let isQuitting = false;
  let last: BrowserWindow | null = null;
  const save = () => state.write([...windows.values()]);

  const open = (saved: SavedWindow) => {
    const window = options.open(saved, (bounds) => {
      windows.set(window, { ...saved, bounds });
      save();
    });
    windows.set(window, saved);
    window.on('focus', () => {
      last = window;
      // The person was asked and chose not to quit.
      isQuitting = false;
    });
    window.on('closed', () => {
      windows.delete(window);
      if (last === window) last = null;
      if (!isQuitting && windows.size > 0) save();
    });
  };
  const toFront = (window: BrowserWindow) => {
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  };
  const restore = () => {
    for (const saved of state.read()) open(saved);
  };
  app.on('before-quit', () => {
    isQuitting = true;
  });

  return {
    restore,
    add: (view) => {
      const there = [...windows].find(([, saved]) => saved.view === view)?.[0];
      if (there !== undefined) toFront(there);
      else {
        const from = last ?? BrowserWindow.getFocusedWindow();
        const bounds = from?.getNormalBounds();
        open({
          view,
          bounds: bounds ? { ...bounds, x: bounds.x + BESIDE, y: bounds.y + BESIDE } : null,
        });
        save();
      }
      return [...windows.values()].flatMap((saved) => saved.view ?? []);
    },
    show: () => {
      const window = last ?? [...windows.keys()][0];
      if (window === undefined) restore();
      else toFront(window);
    },
  };
}
