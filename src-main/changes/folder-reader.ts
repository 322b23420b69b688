import { type Dirent, lstatSync, readdirSync, readlinkSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { systemPath, textOfLatin1 } from '../base/path-names';
import { codeOf, spelledOnDisk } from './system';

/** Reads the entries of a folder; what is gone or may not be read is null or empty. */
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

  linkAt(path: string): string | null {
    try {
      return textOfLatin1(readlinkSync(this.hostOf(path), 'latin1'));
    } catch (thrown) {
      if (codeOf(thrown) === '') throw thrown;
      return null;
    }
  }

  spelled(path: string): string {
    try {
      return spelledOnDisk(this.root, path);
    } catch (thrown) {
      // Gone meanwhile, or not to be looked at.
      if (codeOf(thrown) === '') throw thrown;
      return path;
    }
  }

  /** Paths are texts as `base/path-names.ts` writes them. */
  private hostOf(path: string): string | Buffer {
    return systemPath(join(this.root, path));
  }

  /** Their names as text. */
  entriesOf(folder: string): Dirent[] {
    try {
      const entries = readdirSync(this.hostOf(folder), { withFileTypes: true, encoding: 'latin1' });
      for (const entry of entries) entry.name = textOfLatin1(entry.name);
      return entries;
    } catch (thrown) {
      // Gone meanwhile, or not to be read.
      if (codeOf(thrown) === '') throw thrown;
      return [];
    }
  }
}

/** Any write changes one of these; the times of a folder change with what is in it, so they do not count there. */
export const markOf = (stat: Stats): string =>
  stat.isDirectory()
    ? `${stat.mode}-${inodeOf(stat)}`
    : `${stat.size}-${stat.mtimeMs}-${stat.ctimeMs}-${stat.ino}-${stat.mode}`;

/** Tells a folder from another that took its place, also where that was given its number; '' for what is none. */
export const inodeOf = (stat: Stats | null): string =>
  stat?.isDirectory() ? `${stat.ino}-${stat.birthtimeMs}` : '';
