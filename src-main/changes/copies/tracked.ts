import { join } from 'node:path';
import { gitFolderOf, hashLengthOf } from '../../base/git-folder';
import { parseIndex } from '../../base/git-index';
import { foldersAbove } from '../excluded';
import { readInside } from '../system';

/** Maximum bytes of an index that is parsed. */
const MAX_INDEX = 64 * 1024 * 1024;

/** The files that git tracks, with the folders above them: git never ignores them, whatever the ignore files say. */
export class Tracked {
  private readonly paths = new Set<string>();

  constructor(private readonly root: string) {}

  /** Reads the index of a repository ('' is the root). */
  enter(folder: string): void {
    const within = folder === '' ? '' : `${folder}/`;
    const git = gitFolderOf(join(this.root, folder));
    const bytes = git === null ? null : readInside(git, 'index', MAX_INDEX);
    if (git === null || bytes === null) return;
    for (const { path } of parseIndex(bytes, hashLengthOf(git)) ?? []) {
      for (const above of foldersAbove(path)) this.paths.add(within + above);
      this.paths.add(within + path);
    }
  }

  has(path: string): boolean {
    return this.paths.has(path);
  }
}
