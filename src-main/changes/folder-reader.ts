import { type Dirent, lstatSync, readdirSync, readlinkSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { systemPath, textOfLatin1 } from '../base/path-names';
import { codeOf, hasRealParents, Spelling } from './system';

/** Whether it is something whose state is kept: not a pipe, socket or device. */
export const isKept = (stat: Stats): boolean => stat.isFile() || stat.isDirectory() || stat.isSymbolicLink();

/** Reads the entries of a folder. Missing or unreadable entries are null or empty. */
export class FolderReader {
  constructor(private readonly root: string) {}

  statOf(path: string): Stats | null {
    try {
      return lstatSync(this.hostOf(path), { throwIfNoEntry: false }) ?? null;
    } catch (thrown) {
      if (codeOf(thrown) === '') throw thrown;
      return null;
    }
  }

  /** Also null if its state is not kept. */
  keptAt(path: string): Stats | null {
    const stat = this.statOf(path);
    return stat !== null && isKept(stat) ? stat : null;
  }

  /** Also null behind a link. */
  keptThere(path: string): Stats | null {
    return this.isIn(path) === true ? this.keptAt(path) : null;
  }

  /** Whether the system does not say if the path is there, as below a folder that may not be entered. */
  isOutOfSight(path: string): boolean {
    return this.isIn(path) === null;
  }

  /** Whether the path is not behind a link; null if that or the path itself cannot be inspected. */
  private isIn(path: string): boolean | null {
    try {
      if (!hasRealParents(this.root, path)) return false;
      lstatSync(this.hostOf(path), { throwIfNoEntry: false });
      return true;
    } catch (thrown) {
      if (codeOf(thrown) === '') throw thrown;
      return null;
    }
  }

  linkAt(path: string): string | null {
    try {
      return textOfLatin1(readlinkSync(this.hostOf(path), 'latin1'));
    } catch (thrown) {
      if (codeOf(thrown) === '') throw thrown;
      return null;
    }
  }

  /** How the disk spells paths now; see `Spelling`. */
  spelling(): (path: string) => string {
    const spelling = new Spelling(this.root);
    return (path) => {
      try {
        return spelling.of(path);
      } catch (thrown) {
        // The path is gone or may not be inspected.
        if (codeOf(thrown) === '') throw thrown;
        return path;
      }
    };
  }

  /** Paths are text in the encoding of `base/path-names.ts`. */
  private hostOf(path: string): string | Buffer {
    return systemPath(join(this.root, path));
  }

  /** Entries with their names as text. */
  entriesOf(folder: string): Dirent[] {
    try {
      const entries = readdirSync(this.hostOf(folder), { withFileTypes: true, encoding: 'latin1' });
      for (const entry of entries) entry.name = textOfLatin1(entry.name);
      return entries;
    } catch (thrown) {
      // The folder is gone or not readable.
      if (codeOf(thrown) === '') throw thrown;
      return [];
    }
  }
}

/** Every write changes one of these. A folder's times change with its entries, so they do not count for folders. */
export const markOf = (stat: Stats): string =>
  stat.isDirectory()
    ? `${stat.mode}-${inodeOf(stat)}`
    : `${stat.size}-${stat.mtimeMs}-${stat.ctimeMs}-${stat.ino}-${stat.mode}`;

/** The inode in the mark of a file; '' if it has none. */
export const inodeIn = (mark: string): string => mark.split('-').at(-2) ?? '';

/** Distinguishes a folder from one that replaced it, even if the inode number was reused. '' if it is not a folder. */
export const inodeOf = (stat: Stats | null): string =>
  stat?.isDirectory() ? `${stat.ino}-${stat.birthtimeMs}` : '';
