import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ViewId } from '../contract/ids';
import { DATABASE, noteOf } from '../host/settings/data-names';

const Bounds = z.object({
  x: z.number().optional(),
  y: z.number().optional(),
  width: z.number().min(200),
  height: z.number().min(200),
  /** The window was maximized; the bounds say where it returns to. */
  maximized: z.boolean().optional(),
});
export type WindowBounds = z.infer<typeof Bounds>;

/** A window: the storage key of its view (null: the first window's) and its bounds. */
const SavedWindow = z.object({ view: ViewId.nullable(), bounds: Bounds.nullable() });
export type SavedWindow = z.infer<typeof SavedWindow>;

/** Pixels of a window that must be visible on each side of the screen, so that the person can grab it. */
const IN_SIGHT = 50;

/**
 * Returns the window's saved place, shrunk to the current screen. Without a place, if that screen is gone: the system then
 * chooses one. `area`: the nearest screen's work area.
 */
export function placeOf(
  { x, y, width, height }: WindowBounds,
  area: { x: number; y: number; width: number; height: number },
): { x?: number; y?: number; width: number; height: number } {
  const size = { width: Math.min(width, area.width), height: Math.min(height, area.height) };
  if (x === undefined || y === undefined) return size;
  const isSeen =
    x < area.x + area.width - IN_SIGHT &&
    x + width > area.x + IN_SIGHT &&
    y >= area.y &&
    y < area.y + area.height - IN_SIGHT;
  return isSeen ? { x, y, ...size } : size;
}

/** Maximum number of windows that are restored. */
const MAX_WINDOWS = 12;
// Before several windows were supported, the file held the bounds of one.
const Saved = z.union([
  z.object({ windows: z.array(SavedWindow).min(1) }),
  Bounds.transform((bounds) => ({ windows: [{ view: null, bounds }] })),
]);

/**
 * Whether the data that windows last showed can still exist: not at a first start, and not if it is about to be replaced.
 */
export const hasShownData = (dataDir: string): boolean =>
  existsSync(join(dataDir, DATABASE)) && !existsSync(noteOf(dataDir));

/**
 * Saves the open windows and their places. It uses a small file instead of a database row because windows open before the
 * database does.
 */
export function openWindowState(dataDir: string): {
  /** At least one window, and no view twice. */
  read(): SavedWindow[];
  write(windows: readonly SavedWindow[]): void;
} {
  const file = join(dataDir, 'window.json');
  return {
    read: () => {
      try {
        const { windows } = Saved.parse(JSON.parse(readFileSync(file, 'utf8')));
        const byView = new Map(windows.map((one) => [one.view, one]));
        return [...byView.values()].slice(0, MAX_WINDOWS);
      } catch {
        // Missing or unreadable: open one window at its default size.
        return [{ view: null, bounds: null }];
      }
    },
    write: (windows) => {
      try {
        mkdirSync(dataDir, { recursive: true, mode: 0o700 });
        writeFileSync(`${file}.new`, JSON.stringify({ windows }), { mode: 0o600 });
        renameSync(`${file}.new`, file);
      } catch {
        // A full or read-only disk: the next start restores the last saved windows.
      }
    },
  };
}
