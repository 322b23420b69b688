import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ThreadId } from '../../contract/ids';

/** Long command outputs in full: one folder per thread in the data folder. */
export class CommandOutputs {
  private readonly folder: string;

  constructor(dataDir: string) {
    this.folder = join(dataDir, 'command-output');
  }

  of(threadId: ThreadId): string {
    return join(this.folder, threadId);
  }

  /**
   * Removes the outputs of threads that no longer exist. A deletion can be undone while the app runs, so this runs at
   * startup.
   */
  async sweep(isKept: (threadId: string) => boolean): Promise<void> {
    const names = await readdir(this.folder).catch(() => []);
    for (const name of names) {
      if (!isKept(name)) await rm(join(this.folder, name), { recursive: true, force: true });
    }
  }
}
