import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ThreadId } from '../../contract/ids';

/** The folders in which the whole of long command outputs is kept: one a thread, in the data folder. */
export class CommandOutputs {
  private readonly folder: string;

  constructor(dataDir: string) {
    this.folder = join(dataDir, 'command-output');
  }

  of(threadId: ThreadId): string {
    return join(this.folder, threadId);
  }

  /** Removes what is of no thread any more. Deleting a thread can be undone for as long as the app runs, so it happens then. */
  async sweep(isKept: (threadId: string) => boolean): Promise<void> {
    const names = await readdir(this.folder).catch(() => []);
    for (const name of names) {
      if (!isKept(name)) await rm(join(this.folder, name), { recursive: true, force: true });
    }
  }
}
