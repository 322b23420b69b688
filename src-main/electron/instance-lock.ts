import { mkdirSync, mkdtempSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Whether the folder of the single-instance lock can be written to. Electron also refuses the lock if it cannot create it, which
 * looks like another running instance.
 */
export function canHoldLock(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    rmdirSync(mkdtempSync(join(folder, 'start-')));
    return true;
  } catch {
    return false;
  }
}
