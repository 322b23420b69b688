import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sameState } from '../contract/changes';
import { optional } from '../contract/shared/optional';
import { applySteps, stateIfSeen } from './apply';
import { compare, withoutHunk } from './compare';
import { Contents, hashesIn, hashOf } from './contents';
import { FolderIndex } from './folder-index';
import { sameIgnoringCase } from './path-changes';
import type { EngineApi, EngineOptions } from './protocol';
import { Tracker } from './tracker';
import { isRestored } from './unkept-file';

/** Folders watched at the same time. Opening another closes the least recently used one. */
const TRACKED = 4;
/** Fraction of the budget that a sweep reduces the contents to. */
const SWEEP_TO = 0.9;

/** All disk access. Runs in a worker, because nothing here is fast enough for the main thread. */
export class Engine implements EngineApi {
  private readonly contents: Contents;
  private readonly indexes: string;
  private readonly trackers = new Map<string, Tracker>();

  constructor(private readonly options: EngineOptions) {
    mkdirSync(options.store, { recursive: true, mode: 0o700 });
    this.contents = new Contents(join(options.store, 'contents'));
    this.indexes = join(options.store, 'folders');
  }

  async open(folder: string): Promise<void> {
    this.tracker(folder);
  }

  async scan(folder: string, options: Parameters<EngineApi['scan']>[1]) {
    return this.tracker(folder).takeChanges(options);
  }

  async release(folder: string, claim: string) {
    return this.tracker(folder).release(claim);
  }

  async states(folder: string, paths: string[]) {
    const states = this.tracker(folder).states(paths);
    await this.contents.flush(hashesIn(states));
    return states;
  }

  async diff(...[before, after, maxLines]: Parameters<EngineApi['diff']>) {
    return compare(before, after, maxLines, this.contents);
  }

  async withoutHunk(...[before, after, hunk]: Parameters<EngineApi['withoutHunk']>) {
    const bytes = withoutHunk(before, after, hunk, this.contents);
    if (bytes === null || after.type !== 'file') return null;
    return { ...after, hash: await this.keep(bytes), size: bytes.length };
  }

  async apply(...[folder, revertId, steps]: Parameters<EngineApi['apply']>) {
    const results = applySteps(folder, revertId, steps, this.contents);
    const after = new Map(steps.map((step) => [step.path, step.after]));
    const inTwoCases = sameIgnoringCase([...after.keys()]);
    // Changes that another program made in between are not part of the request.
    return results.map((result) => {
      const wanted = after.get(result.path);
      if (result.outcome !== 'done' || wanted === undefined) return result;
      // It may be there under its other name, on a disk where both are the same.
      if (wanted.type === 'absent' && inTwoCases.has(result.path)) return result;
      // A restored folder may not let us inspect what is in it.
      const now = stateIfSeen(folder, result.path);
      const isThere = now === null || sameState(now, wanted) || isRestored(now, wanted);
      return isThere ? result : { ...result, outcome: 'changed' as const };
    });
  }

  async keep(bytes: Uint8Array) {
    const hash = this.contents.put(Buffer.from(bytes));
    await this.contents.flush([hash]);
    return hash;
  }

  async content(hash: string) {
    return this.contents.get(hash);
  }

  async usage() {
    return { bytes: this.contents.bytes, budget: this.options.budget };
  }

  async setBudget(bytes: number) {
    this.options.budget = bytes;
    for (const tracker of this.trackers.values()) tracker.setBudget(bytes);
  }

  async planSweep(rows: { id: number; hashes: string[] }[]) {
    const most = this.options.budget * SWEEP_TO;
    const live = this.liveHashes();
    let bytes = 0;
    for (const hash of live) bytes += this.contents.size(hash);
    for (const file of this.idleIndexes()) {
      if (bytes <= most) break;
      // The least recently opened folder is scanned again when it is next opened.
      rmSync(file, { force: true });
      bytes = 0;
      live.clear();
      for (const hash of this.liveHashes()) live.add(hash);
      for (const hash of live) bytes += this.contents.size(hash);
    }
    for (const { id, hashes } of rows) {
      for (const hash of hashes) {
        if (live.has(hash)) continue;
        live.add(hash);
        bytes += this.contents.size(hash);
      }
      if (bytes > most) return id;
    }
    return null;
  }

  async sweep(keep: string[]) {
    const live = this.liveHashes();
    for (const hash of keep) live.add(hash);
    this.contents.sweep(live);
  }

  async close() {
    await Promise.all([...this.trackers.values()].map((tracker) => tracker.close()));
    this.trackers.clear();
  }

  private tracker(folder: string): Tracker {
    const found =
      this.trackers.get(folder) ??
      new Tracker({
        root: folder,
        contents: this.contents,
        index: new FolderIndex(this.indexOf(folder), !this.options.persist),
        budget: this.options.budget,
        ...optional({ namedFiles: this.options.namedFiles, maxEntries: this.options.maxEntries }),
      });
    // The last entry of the map is the most recently used.
    this.trackers.delete(folder);
    this.trackers.set(folder, found);
    for (const [other, tracker] of this.trackers) {
      if (this.trackers.size <= TRACKED) break;
      this.trackers.delete(other);
      void tracker.close();
    }
    return found;
  }

  private indexOf(folder: string): string {
    return join(this.indexes, `${hashOf(Buffer.from(folder)).slice(0, 32)}.log`);
  }

  /** Hashes of every folder's last known state. */
  private liveHashes(): Set<string> {
    const live = new Set<string>();
    for (const tracker of this.trackers.values()) for (const hash of tracker.hashes()) live.add(hash);
    for (const file of this.idleIndexes())
      for (const [, hash = ''] of readFileSync(file, 'utf8').matchAll(/"hash":"([0-9a-f]{64})"/g))
        live.add(hash);
    return live;
  }

  /** Indexes of folders that are not tracked now, least recently used first. */
  private idleIndexes(): string[] {
    if (!existsSync(this.indexes)) return [];
    const tracked = new Set([...this.trackers.keys()].map((folder) => this.indexOf(folder)));
    return readdirSync(this.indexes)
      .map((name) => join(this.indexes, name))
      .filter((file) => file.endsWith('.log') && !tracked.has(file))
      .map((file) => ({ file, at: statSync(file).mtimeMs }))
      .sort((a, b) => a.at - b.at)
      .map(({ file }) => file);
  }
}
