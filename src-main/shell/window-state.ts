import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const Bounds = z.object({
  x: z.number().optional(),
  y: z.number().optional(),
  width: z.number().min(200),
  height: z.number().min(200),
});
export type WindowBounds = z.infer<typeof Bounds>;

/**
 * Where the window was. A small file of its own rather than a row in the database, because the window opens before the
 * database does.
 */
export function openWindowState(dataDir: string): {
  read(): WindowBounds | null;
  write(bounds: WindowBounds): void;
} {
  const file = join(dataDir, 'window.json');
  return {
    read: () => {
      try {
        return Bounds.parse(JSON.parse(readFileSync(file, 'utf8')));
      } catch {
        // Missing or unreadable: the window opens at its default size.
        return null;
      }
    },
    write: (bounds) => {
      try {
        mkdirSync(dataDir, { recursive: true, mode: 0o700 });
        writeFileSync(`${file}.new`, JSON.stringify(bounds), { mode: 0o600 });
        renameSync(`${file}.new`, file);
      } catch {
        // A full or read-only disk: the next window opens where the last saved one was.
      }
    },
  };
}
