import { app, BrowserWindow } from 'electron';
import type { openWindowState, SavedWindow, WindowBounds } from './window-state';

/** Pixels between a window and the one that is opened from it. */
const BESIDE = 28;

export interface Windows {
  /** Opens the windows that there were. */
  restore(): void;
  /** Opens one more with that view, or brings the one that has it to the front. Answers the views of all windows. */
  add(view: string): string[];
  /** Brings the window to the front that the person looked at last, or opens those that there were. */
  show(): void;
}

/**
 * All windows, which come back after a restart where they were. One that is closed while others stay is not opened
 * again; those that are closed by quitting, and the last one, are.
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
      // Who goes on working was asked, and did not want to quit.
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
