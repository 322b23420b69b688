import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { isGenerated } from '../../../../base/generated';
import { systemPath, textOfLatin1 } from '../../../../base/path-names';
import { optional } from '../../../../contract/shared/optional';
import { copyUnchanged } from '../layer/base';
import type { Seen } from '../layer/compare';
import { markOf, statAt } from '../layer/entry';
import { namesIn, PARTS } from '../layer/layer';

/** Total bytes copied while a command runs. */
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_FOLDERS = 256;
const MAX_PATHS = 20_000;

/**
 * Saves the folder's version of each file as soon as the file appears in the layer, because the folder may change before the
 * command ends. What it misses is saved at the end, where a later change of the folder is a conflict.
 */
export class SeenFiles {
  private readonly watchers = new Map<string, FSWatcher>();
  private readonly noted = new Set<string>();
  private readonly files = new Map<string, Seen>();
  private readonly working = new Set<Promise<void>>();
  private left = MAX_BYTES;
  private isOver = false;

  /** `since`: nanoseconds when the command started. */
  constructor(
    private readonly place: string,
    private readonly folder: string,
    private readonly since: bigint,
  ) {
    this.watchFolder('');
  }

  /** Call when the command has exited. */
  async stop(): Promise<ReadonlyMap<string, Seen>> {
    this.isOver = true;
    for (const watcher of this.watchers.values()) watcher.close();
    while (this.working.size > 0) await Promise.all(this.working);
    return this.files;
  }

  private watchFolder(path: string): void {
    if (this.isOver || this.watchers.has(path) || this.watchers.size >= MAX_FOLDERS) return;
    const at = join(this.place, PARTS.upper, path);
    try {
      const options = { encoding: 'latin1', persistent: false } as const;
      const watcher = watch(systemPath(at), options, (_, name) => {
        if (name !== null) this.note(path, textOfLatin1(name));
      });
      watcher.on('error', () => watcher.close());
      this.watchers.set(path, watcher);
    } catch {
      // It is gone already, or the system's limit is reached.
      return;
    }
    // What was there before the watcher.
    this.work(async () => {
      for (const name of await namesIn(at)) this.note(path, name);
    });
  }

  private note(above: string, name: string): void {
    const path = above === '' ? name : `${above}/${name}`;
    if (this.isOver || this.noted.has(path) || this.noted.size >= MAX_PATHS || isGenerated(name)) return;
    this.noted.add(path);
    this.work(() => this.take(path));
  }

  private work(job: () => Promise<void>): void {
    const done: Promise<void> = job()
      .catch(() => undefined)
      .finally(() => this.working.delete(done));
    this.working.add(done);
  }

  private async take(path: string): Promise<void> {
    const upper = await statAt(join(this.place, PARTS.upper, path));
    const source = `${this.folder}/${path}`;
    const before = await statAt(source);
    // Below a link, the folder has nothing: what the link leads to is elsewhere.
    if (upper?.isDirectory() === true && before?.isDirectory() === true) this.watchFolder(path);
    if (before?.isFile() !== true || before.ctimeNs > this.since || Number(before.size) > this.left) return;
    this.left -= Number(before.size);
    const was = markOf(before);
    const saved = await copyUnchanged(path, was, this.folder, this.place);
    const facts = { size: Number(before.size), mode: Number(before.mode) & 0o7777 };
    this.files.set(path, {
      was,
      changedAt: String(before.ctimeNs),
      ...facts,
      ...optional({ saved: saved ?? undefined }),
    });
  }
}
