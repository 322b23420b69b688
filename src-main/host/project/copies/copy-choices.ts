import { createHash } from 'node:crypto';
import type { Difference, Differences } from '../../../changes/copies';
import { boundedDiff } from '../../../contract/bounded-diff';
import { isFolderChange } from '../../../contract/changes';
import type { Input } from '../../../contract/commands';
import type { CopyDifference } from '../../../contract/copies';
import { withHunks } from '../chosen-hunks';
import type { Step } from './bring-in';

export type ChosenParts = NonNullable<Input<'copies.bringIn'>['parts']>;

export interface ChosenStep extends Step {
  /** Only some of its parts. */
  partial?: true;
}

/** Folders appear and disappear with their files; an empty one is listed. */
export function relevant(all: readonly Difference[]): Difference[] {
  return all.filter(({ path, outcome, folder, result }, index) => {
    if (outcome === 'done') return false;
    if (!isFolderChange(folder, result) || (folder.type === 'dir' && result.type === 'dir')) return true;
    return all[index + 1]?.path.startsWith(`${path}/`) !== true;
  });
}

/** A folder that appears or disappears with chosen entries. */
export const isFolderFor = ({ path, folder, result }: Difference, wanted: ReadonlySet<string>): boolean =>
  isFolderChange(folder, result) && [...wanted].some((one) => one.startsWith(`${path}/`));

export const digestOf = ({ base, folder, copy }: Difference): string =>
  createHash('sha256')
    .update(JSON.stringify([base, folder, copy]))
    .digest('hex');

export function kindOf({ folder, result }: Difference): CopyDifference['change'] {
  if (folder.type === 'absent') return 'added';
  if (result.type === 'absent') return 'removed';
  const isSameFile = folder.type === 'file' && result.type === 'file' && folder.hash === result.hash;
  return isSameFile || (folder.type === 'dir' && result.type === 'dir') ? 'mode' : 'changed';
}

/** What bringing in a file with conflicting lines changes elsewhere in it, whatever the person chooses for those. */
export async function mergedBesideConflicts(
  { path, parts = [] }: Difference,
  differences: Differences,
): Promise<{ before: string; after: string } | null> {
  const { textOf } = await import('../../../changes/copies');
  const { folder } = await differences.texts(path);
  const after = textOf(
    parts,
    parts.flatMap((part) => ('conflict' in part ? ['folder' as const] : [])),
  );
  return folder === null || after === null ? null : { before: folder, after };
}

/** The folder's text and the text after bringing it in, or the copy's for a conflict. Null if one of them is not text. */
export async function shownTexts(
  { path, folder, result, outcome, parts, copy }: Difference,
  differences: Differences,
): Promise<{ before: string; after: string } | null> {
  const { textOf } = await import('../../../changes/copies');
  const texts = await differences.texts(path);
  const before = folder.type === 'file' ? texts.folder : '';
  const target = outcome === 'conflict' ? copy : result;
  if (target.type === 'dir' || folder.type === 'dir') return null;
  const merged = outcome === 'merge' && parts !== undefined && parts.length > 0 ? textOf(parts, []) : null;
  const isMode = outcome === 'merge' && parts?.length === 0;
  const after = target.type === 'absent' ? '' : isMode ? before : (merged ?? texts.copy);
  return before === null || after === null ? null : { before, after };
}

/** A conflict with the person's answers. `folder`: nothing changes. Null: not answered. */
export async function resolve(
  difference: Difference,
  sides: NonNullable<ChosenParts[string]['sides']>,
): Promise<ChosenStep | 'folder' | null> {
  const { textOf } = await import('../../../changes/copies');
  const { parts } = difference;
  if (parts === undefined) {
    if (sides[0] === 'folder') return 'folder';
    return sides[0] === 'copy' ? { difference: { ...difference, result: difference.copy } } : null;
  }
  const text = textOf(parts, sides);
  return text === null ? null : { difference, text };
}

export async function stepOf(
  difference: Difference,
  differences: Differences,
  hunks: readonly number[] | undefined,
): Promise<ChosenStep> {
  const texts =
    difference.outcome === 'merge' || hunks !== undefined ? await shownTexts(difference, differences) : null;
  if (texts === null) return { difference };
  const diff = boundedDiff(texts.before, texts.after);
  if (hunks === undefined || difference.result.type !== 'file' || hunks.length >= diff.hunks.length)
    return difference.outcome === 'merge' ? { difference, text: texts.after } : { difference };
  return {
    difference,
    text: withHunks(texts.before, diff.hunks, new Set(hunks)),
    partial: true,
  };
}
