import { join } from 'node:path';
import { type FileState, sameState } from '../../contract/changes';
import { inPathOrder } from '../../contract/shared/path-order';
import { Contents } from '../contents';
import { FolderIndex, type Known } from '../folder-index';
import { movedTarget, PARTS } from './copier';
import { type MergedPart, mergeTexts, textOf, type Versions } from './merge';
import { asText, type Seen, States } from './states';
import { entriesBelow } from './walk';

/** A path that differs from the base in the private copy. */
export interface Difference extends Versions<FileState> {
  path: string;
  /**
   * What bringing it in does to the folder: `take` puts the copy's version there, `merge` a text with the changes of both.
   * `conflict`: both changed it differently. `done`: the folder has it already.
   */
  outcome: 'take' | 'merge' | 'conflict' | 'done';
  /** The new state in the folder; for `merge` and `conflict`, without the content. */
  result: FileState;
  /** For `merge` and for a `conflict` of texts. */
  parts?: MergedPart[];
}

const ABSENT: FileState = { type: 'absent' };

/** A private copy, its base, and the folder that it was made of. */
export class Differences {
  private readonly inCopy: States;
  private readonly inFolder: States;
  private readonly contents: Contents;
  private readonly index: FolderIndex;
  private base: Map<string, Known> | null = null;

  constructor(
    readonly folder: string,
    private readonly copy: string,
    place: string,
  ) {
    this.inCopy = new States(copy);
    this.inFolder = new States(folder);
    this.contents = new Contents(join(place, PARTS.contents));
    this.index = new FolderIndex(join(place, PARTS.index));
  }

  /** Everything that the copy changed since the base, sorted by path. Entries that git ignores are left out. */
  async list(signal?: AbortSignal): Promise<Difference[]> {
    const base = this.bases();
    const seen = new Set<string>();
    const paths: string[] = [];
    const changes = async (path: string) => {
      const now = await this.inCopy.at(path, seenOf(base.get(path)));
      if (!sameState(now.state, base.get(path)?.state ?? ABSENT)) paths.push(path);
    };
    for await (const { path, stats } of entriesBelow(this.copy, (_, excluded) => excluded, signal)) {
      if (!stats.isFile() && !stats.isDirectory() && !stats.isSymbolicLink()) continue;
      seen.add(path);
      await changes(path);
    }
    for (const path of base.keys()) if (!seen.has(path)) await changes(path);
    const found: Difference[] = [];
    for (const path of paths) {
      signal?.throwIfAborted();
      found.push(await this.at(path));
    }
    return inPathOrder(found);
  }

  async at(path: string): Promise<Difference> {
    const known = this.bases().get(path);
    const [copied, folder] = await Promise.all([this.inCopy.at(path, seenOf(known)), this.inFolder.at(path)]);
    const base = this.home(known?.state ?? ABSENT);
    const copy = this.home(copied.state);
    const versions = { base, folder: folder.state, copy };
    return { path, ...versions, ...(await this.outcomeOf(path, versions)) };
  }

  /** The texts of the folder and the copy; null for what is not text. */
  async texts(path: string): Promise<{ folder: string | null; copy: string | null }> {
    const [folder, copy] = await Promise.all([this.inFolder.text(path), this.inCopy.text(path)]);
    return { folder, copy };
  }

  /**
   * The compared state of the copy becomes the base. What the copy changed since then is a difference to it. Returns the
   * previous base for `restore`.
   */
  async accept(compared: readonly Pick<Difference, 'path' | 'copy'>[]): Promise<[string, Seen | null][]> {
    const base = this.bases();
    const before: [string, Seen | null][] = [];
    for (const { path, copy } of compared) {
      const now = await this.inCopy.at(path);
      const isStill = sameState(this.home(now.state), copy);
      // Without its text, later changes could not be merged with it.
      if (!isStill && !sameState((await this.inFolder.at(path)).state, copy)) continue;
      before.push([path, seenOf(base.get(path)) ?? null]);
      const text = copy.type === 'file' ? await (isStill ? this.inCopy : this.inFolder).text(path) : null;
      if (text !== null) this.contents.put(Buffer.from(text));
      const accepted = isStill ? now : { state: this.away(copy), mark: '' };
      this.set(path, copy.type === 'absent' ? null : accepted);
    }
    this.index.flush();
    return before;
  }

  /** Undoes `accept`. */
  restore(before: readonly (readonly [string, Seen | null])[]): void {
    for (const [path, seen] of before) this.set(path, seen);
    this.index.flush();
  }

  private set(path: string, seen: Seen | null): void {
    const known = seen && { ...seen, inode: '', racy: false, pending: false, extra: false };
    if (known === null) this.bases().delete(path);
    else this.bases().set(path, known);
    this.index.set(path, known);
  }

  private bases(): Map<string, Known> {
    this.base ??= this.index.load().known;
    return this.base;
  }

  /** A state with a link into the copy as a link into the folder. */
  private home(state: FileState): FileState {
    return state.type === 'link'
      ? { type: 'link', target: movedTarget(state.target, this.copy, this.folder) }
      : state;
  }

  /** Undoes `home`. */
  private away(state: FileState): FileState {
    return state.type === 'link'
      ? { type: 'link', target: movedTarget(state.target, this.folder, this.copy) }
      : state;
  }

  private async outcomeOf(
    path: string,
    { base, folder, copy }: Versions<FileState>,
  ): Promise<Pick<Difference, 'outcome' | 'result' | 'parts'>> {
    if (sameState(folder, copy)) return { outcome: 'done', result: copy };
    if (sameState(folder, base)) return { outcome: 'take', result: copy };
    if (folder.type === 'dir' && copy.type === 'dir' && base.type === 'absent')
      return { outcome: 'done', result: folder };
    // A removed folder stays if the folder changed it, and so do its entries that are not conflicts.
    if (base.type === 'dir' && copy.type === 'absent' && folder.type === 'dir')
      return { outcome: 'take', result: copy };
    const mode = modeOf(base, folder, copy);
    if (mode === null || folder.type !== 'file' || copy.type !== 'file')
      return { outcome: 'conflict', result: copy };
    const withMode = (state: FileState): FileState => (state.type === 'file' ? { ...state, mode } : state);
    const before = base.type === 'file' ? base.hash : null;
    if (folder.hash !== null && folder.hash === copy.hash)
      return { outcome: 'merge', result: withMode(folder), parts: [] };
    if (before !== null && folder.hash === before) return { outcome: 'take', result: withMode(copy) };
    if (before !== null && copy.hash === before)
      return mode === folder.mode
        ? { outcome: 'done', result: folder }
        : { outcome: 'merge', result: withMode(folder), parts: [] };
    const parts = await this.mergeOf(path, base);
    if (parts === null) return { outcome: 'conflict', result: withMode(copy) };
    const isConflict = parts.some((part) => 'conflict' in part);
    if (isConflict) return { outcome: 'conflict', result: withMode(copy), parts };
    const isCopy = textOf(parts, []) === (await this.inCopy.text(path));
    return { outcome: isCopy ? 'take' : 'merge', result: withMode(copy), parts };
  }

  /** Null if the versions cannot be merged by line. */
  private async mergeOf(path: string, base: FileState): Promise<MergedPart[] | null> {
    const { folder, copy } = await this.texts(path);
    if (folder === null || copy === null) return null;
    const bytes = base.type === 'file' && base.hash !== null ? this.contents.get(base.hash) : null;
    // Both created it: without a common version, all of it is one conflict.
    const before = base.type === 'file' ? bytes && asText(bytes) : '';
    return before === null ? null : mergeTexts({ base: before, folder, copy });
  }
}

const seenOf = (known: Known | undefined): Seen | undefined =>
  known && { state: known.state, mark: known.mark };

/** The permission bits that both sides lead to; null if they changed them differently. */
function modeOf(base: FileState, folder: FileState, copy: FileState): number | null {
  if (folder.type !== 'file' || copy.type !== 'file') return null;
  const before = base.type === 'file' ? base.mode : folder.mode;
  if (folder.mode === copy.mode || copy.mode === before) return folder.mode;
  return folder.mode === before ? copy.mode : null;
}
