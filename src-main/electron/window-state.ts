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
  /** It filled the screen; the rest says where it goes back to. */
  maximized: z.boolean().optional(),
});
export type WindowBounds = z.infer<typeof Bounds>;

/** A window: what it shows, by the key of that in its own storage (null: the first window's), and where it was. */
const SavedWindow = z.object({ view: ViewId.nullable(), bounds: Bounds.nullable() });
export type SavedWindow = z.infer<typeof SavedWindow>;

/** Pixels of a window that must be in sight on each side of the screen, so that it can be taken hold of. */
const IN_SIGHT = 50;

/**
 * Where the window was, no larger than the screen that it comes back on; without a place, for the system to choose one,
 * where that screen is gone. `area`: the nearest screen's, without its bars.
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

/** Windows that are opened again at most. */
const MOST_WINDOWS = 12;
// Before there could be several windows, the file held the bounds of the one.
const Saved = z.union([
  z.object({ windows: z.array(SavedWindow).min(1) }),
  Bounds.transform((bounds) => ({ windows: [{ view: null, bounds }] })),
]);

/** Whether what windows showed last can be there still: not at a first start, nor where the data is about to be replaced. */
export const hasShownData = (dataDir: string): boolean =>
  existsSync(join(dataDir, DATABASE)) && !existsSync(noteOf(dataDir));

/**
 * Which windows there were, and where. A small file of its own rather than a row in the database, because the windows
 * open before the database does.
 */
export function openWindowState(dataDir: string): {
  /** At least one, and no view twice. */
  read(): SavedWindow[];
  write(windows: readonly SavedWindow[]): void;
} {
  const file = join(dataDir, 'window.json');
  return {
    read: () => {
      try {
        const { windows } = Saved.parse(JSON.parse(readFileSync(file, 'utf8')));
        const byView = new Map(windows.map((one) => [one.view, one]));
        return [...byView.values()].slice(0, MOST_WINDOWS);
      } catch {
        // Missing or unreadable: one window opens at its default size.
        return [{ view: null, bounds: null }];
      }
    },
    write: (windows) => {
      try {
        mkdirSync(dataDir, { recursive: true, mode: 0o700 });
        writeFileSync(`${file}.new`, JSON.stringify({ windows }), { mode: 0o600 });
        renameSync(`${file}.new`, file);
      } catch {
        // A full or read-only disk: the next windows open where the last saved ones were.
      }
    },
  };
}
