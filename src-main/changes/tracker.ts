import type { Stats } from 'node:fs';
import { setImmediate as nextRound } from 'node:timers/promises';
import { isBelow } from '../base/is-below';
import { type FileState, sameState, UNREACHABLE } from '../contract/changes';
import { optional } from '../contract/shared/optional';
import { Claims } from './claims';
import { type Contents, hashesIn } from './contents';
import { Excluded, excludedBelow, foldersAbove, isIgnoreFile, parentOf } from './excluded';
import type { FolderIndex, Known } from './folder-index';
import { FolderReader, inodeOf, markOf } from './folder-reader';
import { FolderWatches } from './folder-watches';
import { sameIgnoringCase, takeFlushed } from './path-changes';
import { PendingContents } from './pending-contents';
import { NAMED_LIMITS, type NamedLimits, type PathChange, type Scan, type ScanOptions } from './protocol';
import { type Read, readKnown, TICK } from './read-known';
import { codeOf, isPathOf, staysInside } from './system';
import { UnseenFiles } from './unseen-files';

/** Entries checked before other work gets a turn. */
const YIELD_AFTER = 2_000;
/** Entries kept of a folder. Further entries are kept only if a call names them. */
const MAX_ENTRIES = 300_000;
/** Fraction of the budget that first scans of folders may use. The rest is for changes. */
const FIRST_SHARE = 0.5;

const ABSENT: FileState = { type: 'absent' };

export interface TrackerOptions {
  root: string;
  contents: Contents;
  index: FolderIndex;
  budget: number;
  namedFiles?: number;
  maxEntries?: number;
}

/**
 * The last known state of a folder and everything not excluded in it, with the contents kept. A check finds later changes
 * through the system's watches if there are any, otherwise through every file's times.
 */
export class Tracker {
  private known = new Map<string, Known>();
  private readonly excluded: Excluded;
  private readonly folder: FolderReader;
  private readonly watches: FolderWatches;
  private readonly claims = new Claims();
  private readonly unseen = new UnseenFiles();
  private readonly pending: PendingContents;
  private last: Promise<unknown> = Promise.resolve();
  private waiting: PathChange[] = [];
  private lookedAt = 0;
  /** Paths that became excluded after they were known. */
  private readonly hidden = new Set<string>();
  private rootInode = '';
  /** Something may have changed that neither the watches nor an earlier check reported. */
  private isUnsure = false;
  private opened: Promise<void> | null = null;

  constructor(private readonly options: TrackerOptions) {
    this.folder = new FolderReader(options.root);
    this.excluded = new Excluded(options.root);
    this.watches = new FolderWatches(options.root);
    this.pending = new PendingContents(
      (path) => this.read(path),
      () => {
        options.index.complete();
        options.index.flush();
      },
    );
    // The next check tries again and reports the error.
    this.ready().catch(() => undefined);
  }

  setBudget(bytes: number): void {
    this.options.budget = bytes;
  }

  /** Waits at most `waitMs` for the contents of the first scan. Changes are reported in any case. */
  takeChanges(options: ScanOptions): Promise<Scan> {
    return this.inTurn(async () => {
      await this.ready();
      const { claim, exclusive = false, limits, waitMs = 0 } = options;
      if (!this.pending.isDone && waitMs > 0) {
        // The paths that are about to change come first.
        for (const root of options.named ?? [])
          for (const path of this.known.keys()) if (isBelow(path, root)) this.read(path);
        await this.pending.wait(waitMs);
      }
      this.options.index.flush();
      // If this fails, the next check reports what was found.
      const changes = this.waiting;
      await this.lookAgain(changes);
      const spelled = this.folder.spelling();
      const named = (options.named ?? [])
        .filter(staysInside)
        // Below a file there is nothing yet: the call may replace it with a folder.
        .map((path) => (this.known.has(path) || !isPathOf(this.options.root, path) ? path : spelled(path)));
      const added = { paths: named, exclusive, since: this.unseen.checkedAt, ...optional({ limits }) };
      if (claim !== undefined) this.claims.add(claim, added);
      for (const path of named) this.noteNamed(path, this.folder.keptThere(path), changes, true, limits);
      return { changes: await takeFlushed(changes, this.options.contents), ready: this.pending.isDone };
    });
  }

  release(claim: string): Promise<PathChange[]> {
    return this.inTurn(async () => {
      const { paths, limits, since } = this.claims.release(claim);
      await this.ready();
      // What is there now tells nothing about the folder.
      if (inodeOf(this.folder.keptAt('')) !== this.rootInode) {
        this.isUnsure = true;
        return [];
      }
      const changes: PathChange[] = [];
      this.unseen.since = since;
      const spelled = this.folder.spelling();
      for (const path of paths) {
        for (const folder of foldersAbove(path))
          if (!this.known.has(folder) && !this.excluded.hasPath(folder, true))
            this.note(folder, this.folder.keptThere(folder), changes, false);
        // The call may have renamed it to another case.
        const now = spelled(path);
        this.noteNamed(path, now === path ? this.folder.keptThere(path) : null, changes, false, limits);
        if (now !== path) this.noteNamed(now, this.folder.keptThere(now), changes, false, limits);
      }
      this.unseen.mark(this.known);
      for (const [path, { extra }] of this.known)
        if (extra && !this.claims.names(path)) this.known.delete(path);
      return takeFlushed(changes, this.options.contents);
    });
  }

  /** The current states on the disk, with contents kept. Does not count as a check. */
  states(paths: string[]): FileState[] {
    const spelled = this.folder.spelling();
    return paths.map((path) => {
      if (this.folder.isOutOfSight(path)) return this.known.get(path)?.state ?? UNREACHABLE;
      const stat = spelled(path) === path ? this.folder.keptThere(path) : null;
      return stat === null ? ABSENT : (this.stateOf(path, stat, true)?.state ?? ABSENT);
    });
  }

  /** The hashes of the folder's current contents. */
  hashes(): string[] {
    return hashesIn([...this.known.values()].map(({ state }) => state));
  }

  async close(): Promise<void> {
    this.watches.close();
    await Promise.all([this.last.catch(() => undefined), this.pending.stop()]);
    this.options.index.flush();
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.last.then(work, work);
    this.last = done;
    return done;
  }

  private ready(): Promise<void> {
    this.opened ??= this.open().catch((error: unknown) => {
      this.opened = null;
      throw error;
    });
    return this.opened;
  }

  private async open(): Promise<void> {
    const { known, isComplete } = this.options.index.load(this.options.contents);
    this.known = known;
    for (const [path, { pending }] of known) if (pending) this.pending.add(path);
    await this.scan(!isComplete, this.waiting);
    this.pending.start();
  }

  /** Reads a content that is not kept yet. */
  private read(path: string): void {
    const { contents, budget } = this.options;
    const known = this.known.get(path);
    if (!known?.pending) return;
    known.pending = false;
    const stat = this.folder.keptAt(path);
    // It changed before it could be kept. Its earlier content is lost, and the next check reports that.
    if (stat === null || markOf(stat) !== known.mark) return;
    try {
      const read = this.stateOf(path, stat, contents.bytes <= budget * FIRST_SHARE);
      const isSame = markOf(this.folder.keptAt(path) ?? stat) === known.mark;
      if (read !== null && isSame) Object.assign(known, read);
    } catch (thrown) {
      // The disk is full: the content is not kept.
      if (codeOf(thrown) === '') throw thrown;
    }
    this.options.index.set(path, known);
  }

  /** Adds the changes since the last check. */
  private async lookAgain(changes: PathChange[]): Promise<void> {
    await this.watches.settled();
    const root = inodeOf(this.folder.keptAt(''));
    const dirty = [...this.watches.dirty].sort();
    // A folder that is still there without its watch was unmounted and mounted again, or moved away and back.
    const isLost = (path: string) => {
      const known = path === '' ? this.rootInode : this.known.get(path)?.inode;
      return known !== undefined && known === inodeOf(this.folder.keptAt(path));
    };
    const { mayHaveMissed, lost } = this.watches;
    const isAll = this.isUnsure || mayHaveMissed || root !== this.rootInode || [...lost].some(isLost);
    // If this fails, the next check compares everything.
    this.isUnsure = true;
    this.unseen.checks(!this.claims.isEmpty);
    if (isAll || dirty.some(isIgnoreFile)) await this.scan(false, changes);
    else await this.lookAt(dirty, changes);
    this.unseen.mark(this.known);
    this.isUnsure = false;
  }

  private async lookAt(dirty: readonly string[], changes: PathChange[]): Promise<void> {
    const gone = new Set<string>();
    const inTwoCases = sameIgnoringCase(dirty);
    const spelled = this.folder.spelling();
    this.watches.caughtUp();
    for (const path of dirty) {
      if (this.claims.holds(path)) {
        this.watches.dirty.add(path);
        continue;
      }
      const isRenamed = inTwoCases.has(path) && spelled(path) !== path;
      const stat = isRenamed ? null : this.folder.keptThere(path);
      // It was removed together with its folder.
      if (stat === null && gone.has(parentOf(path))) continue;
      const name = path.slice(path.lastIndexOf('/') + 1);
      const known = this.known.get(path);
      if (stat !== null && this.excluded.has(path, name, stat.isDirectory())) continue;
      if (known?.state.type === 'dir' && inodeOf(stat) !== known.inode) gone.add(path);
      this.note(path, stat, changes, false);
      if (stat?.isDirectory() && !this.watches.has(path)) await this.walk([path], new Set(), changes, false);
    }
    if (gone.size > 0) this.lookBelow(gone, changes);
    this.lookedAt = Date.now();
  }

  /** Scans every entry. `isFirst`: nothing was known, so nothing counts as changed, and contents are read later. */
  private async scan(isFirst: boolean, into: PathChange[]): Promise<void> {
    const changes = isFirst ? [] : into;
    const seen = new Set<string>();
    const root = inodeOf(this.folder.keptAt(''));
    // Nothing in it was removed: it may come back.
    if (root === '') throw Object.assign(new Error('The folder is gone.'), { code: 'ENOENT' });
    if (root !== this.rootInode) this.watches.remove('');
    this.rootInode = root;
    this.watches.caughtUp();
    this.excluded.forget();
    const folders = [...this.known.values()].flatMap(({ inode }) => inode || []);
    await this.walk([''], seen, changes, isFirst, { before: this.lookedAt, folders: new Set(folders) });
    const spelled = this.folder.spelling();
    for (const [path, known] of [...this.known]) {
      if (known.extra || seen.has(path) || this.claims.holds(path)) continue;
      const stat = this.folder.keptAt(path);
      // It is excluded from now on, neither removed nor renamed to another case. It may have changed before that.
      if (stat !== null && spelled(path) === path) {
        this.note(path, stat, changes, false);
        this.forget(path);
        this.hidden.add(path);
      } else this.note(path, null, changes, false);
    }
    this.lookedAt = Date.now();
  }

  /** `old`: how to recognize entries that existed before but were excluded, and folders that were known under another name. */
  private async walk(
    folders: string[],
    seen: Set<string>,
    changes: PathChange[],
    isFirst: boolean,
    old: { before: number; folders: ReadonlySet<string> } = { before: 0, folders: new Set() },
  ): Promise<void> {
    const { maxEntries = MAX_ENTRIES } = this.options;
    const moved = new Set<string>();
    let looked = 0;
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      // Watch first: a new entry is then seen twice rather than not at all.
      this.watches.add(folder);
      const entries = this.folder.entriesOf(folder);
      this.excluded.enter(
        folder,
        entries.some(({ name }) => name === '.gitignore'),
      );
      for (const entry of entries) {
        looked += 1;
        if (looked % YIELD_AFTER === 0) await nextRound();
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
        const isFolder = entry.isDirectory();
        const isNew = !this.known.has(path);
        if (isNew && this.known.size >= maxEntries) continue;
        if (!isFolder && !entry.isFile() && !entry.isSymbolicLink()) continue;
        if (this.excluded.has(path, entry.name, isFolder)) continue;
        const stat = this.folder.keptAt(path);
        if (stat === null) continue;
        seen.add(path);
        if (isFolder) folders.push(path);
        if (this.claims.holds(path)) continue;
        // No longer excluded, but it existed before, so this is not a change.
        const wasThere = this.hidden.delete(path) || (old.before > 0 && stat.ctimeMs < old.before - TICK);
        if (isNew && old.folders.has(inodeOf(stat))) moved.add(path);
        const isOld = isNew && wasThere && !moved.has(folder);
        this.note(path, stat, isOld || isFirst ? [] : changes, isFirst);
      }
    }
  }

  /** Checks known paths below folders that are gone or were replaced. */
  private lookBelow(gone: ReadonlySet<string>, changes: PathChange[]): void {
    for (const path of [...this.known.keys()]) {
      const at = foldersAbove(path).findLast((folder) => gone.has(folder));
      if (at === undefined) continue;
      this.note(path, this.known.has(at) ? this.folder.keptThere(path) : null, changes, false);
    }
  }

  /** Checks a path that a call names and everything below it, whatever the watches report, excluded or not. */
  private noteNamed(
    path: string,
    stat: Stats | null,
    changes: PathChange[],
    isBefore: boolean,
    limits?: NamedLimits,
  ): void {
    const isKept = this.known.has(path) && !this.known.get(path)?.extra;
    const extra =
      !isKept &&
      (stat === null ? this.excluded.hasPath(path, false) : this.excluded.hasPath(path, stat.isDirectory()));
    const told = isBefore && !isKept ? [] : changes;
    const wasFolder = this.known.get(path)?.state.type === 'dir';
    this.note(path, stat, told, false, extra);
    if (stat?.isDirectory()) this.walkNamed(path, extra, isBefore ? [] : changes, limits);
    if (wasFolder && !isBefore) this.lookBelow(new Set([path]), told);
  }

  /**
   * Checks the excluded entries below a named folder, such as the `.git` of a repository in it. Beyond the limits their contents
   * are not kept: an undo then reports each of them.
   */
  private walkNamed(
    root: string,
    isExtra: boolean,
    changes: PathChange[],
    limits: NamedLimits = { ...NAMED_LIMITS, ...optional({ files: this.options.namedFiles }) },
  ): void {
    for (const { path, stat, isWithin } of excludedBelow(this.folder, this.excluded, root, isExtra, limits)) {
      if (this.known.size > MAX_ENTRIES) return;
      this.note(path, stat, changes, isWithin ? false : 'without content', true);
    }
  }

  /** Compares one path with its last known state and updates that state. `when` true: its content is read later. */
  private note(
    path: string,
    stat: Stats | null,
    changes: PathChange[],
    when: boolean | 'without content',
    extra = false,
  ): void {
    const later = when === true;
    const isContentKept = when === false;
    const known = this.known.get(path);
    const before = known?.state ?? ABSENT;
    // The folder was replaced or is gone, so its watch no longer reports anything.
    if (known?.state.type === 'dir' && inodeOf(stat) !== known.inode) this.watches.remove(path);
    if (stat === null) {
      if (known === undefined || this.folder.isOutOfSight(path)) return;
      this.unseen.leaves(known);
      this.forget(path);
      changes.push({ path, before, after: ABSENT });
      return;
    }
    if (known !== undefined && known.mark === markOf(stat) && !(known.racy && !later)) return;
    const now = this.stateOf(path, stat, isContentKept);
    if (now === null) return;
    const next: Known = { ...now, extra, pending: later && now.state.type === 'file' };
    if (next.pending) this.pending.add(path);
    this.known.set(path, next);
    if (!extra) this.options.index.set(path, next);
    if (sameState(before, now.state)) return;
    const change = { path, before, after: now.state };
    if (known === undefined) this.unseen.appears(change, stat);
    else this.unseen.leaves(known);
    changes.push(change);
  }

  private stateOf(path: string, stat: Stats, withContent: boolean): Read | null {
    return readKnown({ ...this.options, folder: this.folder }, path, stat, withContent);
  }

  private forget(path: string): void {
    const known = this.known.get(path);
    this.known.delete(path);
    if (known?.state.type === 'dir') this.watches.remove(path);
    if (known && !known.extra) this.options.index.set(path, null);
  }
}
