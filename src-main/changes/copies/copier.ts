import type { Stats } from 'node:fs';
import { chmod, lchown, lutimes, mkdir, readlink, symlink, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { copyOpened } from '../../base/copy-opened';
import { isBelow } from '../../base/is-below';
import { openRegular, readOpened } from '../../base/open-regular';
import { systemPath, textOfLatin1 } from '../../base/path-names';
import { isRefused } from '../../base/regular-file';
import { Contents } from '../contents';
import { FolderIndex } from '../folder-index';
import { FolderReader, inodeOf, markOf } from '../folder-reader';
import { codeOf } from '../system';
import { asText, hashFile, MAX_TEXT } from './states';
import { entriesBelow, type Found } from './walk';

/** Files copied at the same time. */
const CONCURRENCY = 8;
/** Attempts to copy a file that somebody is writing. */
const ATTEMPTS = 3;
/** Setuid and setgid: running such a file gives the rights of its owner or group. */
const DROPPED = 0o6000;

/** Names in the folder of one private copy. */
export const PARTS = { index: 'base.jsonl', contents: 'base' } as const;

export interface CopyOptions {
  /** Real path of the folder. */
  from: string;
  /** The new folder; its parent exists. */
  to: string;
  /** Stores the base for later merges. */
  place: string;
  /** Also copies what git ignores. */
  ignored: boolean;
  signal: AbortSignal;
  onProgress: (done: Copied) => void;
  /** It is a repository's folder: nothing is recorded. `leaves`: what is not copied. */
  repository?: { leaves: (found: Found) => boolean };
}

export interface Copied {
  files: number;
  bytes: number;
  /** Entries that could not be read, and pipes, sockets and devices. */
  skipped: number;
}

/** Whether the copy includes an entry. A repository's own files are never ignored. */
const isCopied = (path: string, excluded: boolean, ignored: boolean): boolean =>
  ignored || !excluded || isOfRepository(path);

const isOfRepository = (path: string): boolean => path.split('/').includes('.git');

/** Copies a folder with links, modes and times, and records its state as the base, unless all of it is a repository's. */
export class Copier {
  readonly done: Copied = { files: 0, bytes: 0, skipped: 0 };
  /** The files that name a repository elsewhere, and those of repositories that name folders. */
  readonly references: string[] = [];
  private readonly index: FolderIndex;
  private readonly contents: Contents;
  private readonly made: FolderReader;

  constructor(private readonly options: CopyOptions) {
    this.index = new FolderIndex(join(options.place, PARTS.index));
    this.contents = new Contents(join(options.place, PARTS.contents));
    this.made = new FolderReader(options.to);
  }

  async run(): Promise<void> {
    const { from, to, signal, repository } = this.options;
    const top = new FolderReader(from).statOf('');
    if (top === null) throw Object.assign(new Error('The folder is gone.'), { code: 'ENOENT' });
    // A repository may be taken in two parts.
    const recursive = repository !== undefined;
    await mkdir(systemPath(to), { mode: 0o700, recursive });
    const folders: Found[] = [{ path: '', stats: top, excluded: true }];
    const running = new Set<Promise<void>>();
    const failures: unknown[] = [];
    const skips = (path: string, excluded: boolean) => !isCopied(path, excluded, this.options.ignored);
    for await (const found of entriesBelow(from, skips, signal)) {
      signal.throwIfAborted();
      if (failures.length > 0) break;
      if (repository?.leaves(found) === true) continue;
      if (found.stats.isDirectory()) {
        await mkdir(this.target(found.path), { mode: 0o700, recursive });
        folders.push(found);
        continue;
      }
      const work: Promise<void> = this.copyEntry(found)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => running.delete(work));
      running.add(work);
      if (running.size >= CONCURRENCY) await Promise.race(running);
    }
    await Promise.all(running);
    if (failures.length > 0) throw failures[0];
    signal.throwIfAborted();
    // From the bottom up: a folder without write permission could not be filled, and its time changes with its entries.
    for (const folder of folders.toReversed()) await this.finishFolder(folder);
    if (repository !== undefined) return;
    this.index.complete();
    this.index.flush();
  }

  private async copyEntry(found: Found): Promise<void> {
    const { path, stats } = found;
    const isCopy = stats.isSymbolicLink()
      ? await this.copyLink(found)
      : stats.isFile() && (await this.copyFile(found));
    if (!isCopy) {
      this.done.skipped += 1;
      return;
    }
    if (stats.isFile() && isReference(path)) this.references.push(path);
    this.done.files += 1;
    this.done.bytes += stats.isFile() ? stats.size : 0;
    this.options.onProgress(this.done);
    if (found.excluded || this.options.repository !== undefined) return;
    await this.record(path);
  }

  /** False for one that leads a repository to another: git would write there. */
  private async copyLink({ path, stats, excluded }: Found): Promise<boolean> {
    const { from, to, repository } = this.options;
    const target = textOfLatin1(await readlink(systemPath(`${from}/${path}`), 'latin1'));
    const isRepository = repository !== undefined || isOfRepository(path);
    if (isRepository && !isBelow(resolve(from, dirname(path), target), from)) return false;
    const moved = excluded && !isRepository ? target : movedTarget(target, from, to);
    await symlink(systemPath(moved), this.target(path));
    await this.keepOwner(path, stats);
    await this.keepTimes(path, stats);
    return true;
  }

  /** False if it cannot be read, is gone, or is being written all the time. */
  private async copyFile({ path }: Found): Promise<boolean> {
    const { from } = this.options;
    const target = this.target(path);
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      // Opened without following links: a program in the folder must not lead the copy to files outside.
      const file = await openRegular(`${from}/${path}`, { root: from, links: 'none' });
      if (isRefused(file)) return false;
      try {
        await copyOpened(file, target);
        const now = new FolderReader(from).statOf(path);
        if (now !== null && markOf(now) !== markOf(file.stats) && attempt + 1 < ATTEMPTS) {
          await unlink(target);
          continue;
        }
        await this.keepOwner(path, file.stats);
        await chmod(target, file.stats.mode & 0o7777 & ~DROPPED);
        await this.keepTimes(path, file.stats);
        return true;
      } catch (thrown) {
        if (!['EACCES', 'EPERM'].includes(codeOf(thrown))) throw thrown;
        return false;
      } finally {
        await file.close();
      }
    }
    return false;
  }

  private async finishFolder({ path, stats, excluded }: Found): Promise<void> {
    const target = this.target(path);
    await this.keepOwner(path, stats);
    // The copy belongs to this user, so its top folder must stay usable.
    await chmod(target, path === '' ? (stats.mode & 0o777) | 0o700 : stats.mode & 0o7777);
    await this.keepTimes(path, stats);
    if (!excluded && this.options.repository === undefined) await this.record(path);
  }

  /** The base is the copied state: the folder may have changed since. */
  private async record(path: string): Promise<void> {
    const stats = this.made.statOf(path);
    if (stats === null) return;
    const known = { mark: markOf(stats), inode: inodeOf(stats), racy: false, pending: false, extra: false };
    const mode = stats.mode & 0o7777;
    if (stats.isDirectory()) this.index.set(path, { ...known, state: { type: 'dir', mode } });
    else if (stats.isSymbolicLink())
      this.index.set(path, { ...known, state: { type: 'link', target: this.made.linkAt(path) ?? '' } });
    else {
      const hash = await this.keepContent(path);
      if (hash !== null)
        this.index.set(path, { ...known, state: { type: 'file', hash, size: stats.size, mode } });
    }
  }

  private async keepContent(path: string): Promise<string | null> {
    const { to } = this.options;
    const file = await openRegular(`${to}/${path}`, { root: to, links: 'none' });
    // Copied without read permission: by root, or a mode that locks out the owner.
    if (isRefused(file)) return null;
    try {
      if (file.stats.size > MAX_TEXT) return await hashFile(file);
      const bytes = await readOpened(file, { maxBytes: MAX_TEXT });
      if (isRefused(bytes)) return null;
      return asText(bytes) === null ? await hashFile(file) : this.contents.put(bytes);
    } finally {
      await file.close();
    }
  }

  private target(path: string): string | Buffer {
    return systemPath(path === '' ? this.options.to : `${this.options.to}/${path}`);
  }

  /** Only root may give files away. */
  private async keepOwner(path: string, { uid, gid }: Stats): Promise<void> {
    if (process.getuid?.() !== 0 || (uid === 0 && gid === 0)) return;
    await lchown(this.target(path), uid, gid);
  }

  private keepTimes(path: string, { atimeMs, mtimeMs }: Stats): Promise<void> {
    return lutimes(this.target(path), atimeMs / 1_000, mtimeMs / 1_000);
  }
}

const isReference = (path: string): boolean =>
  /(^|\/)\.git($|\/(.*\/)?(config|config\.worktree|gitdir)$)/.test(path);

/** A link that names the folder itself leads to the same place in the copy, and back when it is brought in. */
export const movedTarget = (target: string, from: string, to: string): string =>
  isBelow(target, from) ? `${to}${target.slice(from.length)}` : target;
