import type { Stats } from 'node:fs';
import type { FileState } from '../contract/changes';
import type { Known } from './folder-index';
import { inodeIn } from './folder-reader';
import type { PathChange } from './protocol';
import { TICK } from './read-known';

const UNSEEN: FileState = { type: 'absent', unseen: true };

/**
 * Files that appear in a check but are older than the check before it: they were moved here from a place that is not kept, or
 * were ignored or unreadable. Removing one to undo its appearance would lose it, so its change says that its state before is
 * not known. A file that was only moved within what is kept is not one of them.
 */
export class UnseenFiles {
  /** Milliseconds: what is older was there before; 0: that is not known, or only Deepdesk itself writes. */
  since = 0;
  /** When the last check started. */
  checkedAt = 0;
  private readonly found: { inode: string; change: PathChange }[] = [];
  /** Inodes of known files that left their paths. */
  private readonly left = new Set<string>();

  /** `isCallRunning`: what left its path during a call may be found elsewhere when the call ends. */
  checks(isCallRunning: boolean): void {
    if (!isCallRunning) this.left.clear();
    this.since = this.checkedAt;
    this.checkedAt = Date.now();
  }

  appears(change: PathChange, stat: Stats): void {
    const { birthtimeMs, ino } = stat;
    // Some file systems do not know when a file was created.
    if (!stat.isFile() || birthtimeMs <= 0 || birthtimeMs >= this.since - TICK) return;
    this.found.push({ inode: String(ino), change });
  }

  leaves({ mark }: Known): void {
    this.left.add(inodeIn(mark));
  }

  /** Marks the changes since the last call, except of files that are or were known under another name. */
  mark(known: ReadonlyMap<string, Known>): void {
    const found = this.found.splice(0);
    if (found.length === 0) return;
    const paths = new Set(found.map(({ change }) => change.path));
    const there = new Set([...known].flatMap(([path, { mark }]) => (paths.has(path) ? [] : inodeIn(mark))));
    for (const { inode, change } of found)
      if (!this.left.has(inode) && !there.has(inode)) change.before = UNSEEN;
  }
}
