import { createHash } from 'node:crypto';
import { dirname } from 'node:path/posix';
import type { PathChange } from '../../changes';
import { type FileState, sameState } from '../../contract/changes';
import { MAX_UNDO_FILE } from '../../contract/limits';
import { optional } from '../../contract/shared/optional';
import type { BackendProtocol, CallOptions, FileInfo, WriteOptions } from '../../harness';

/** Places keep the mode of a file by themselves, so all states have the same. */
const MODE = 0o644;

export const ABSENT: FileState = { type: 'absent' };

/** Stores a content and returns its hash. */
export type KeepContent = (bytes: Uint8Array) => Promise<string>;

/** The state of a path in a place, with its content kept; null if the place does not tell. */
export async function stateIn(
  backend: BackendProtocol,
  path: string,
  keep: KeepContent,
  options?: CallOptions,
): Promise<FileState | null> {
  const [got] = (await backend.downloadFiles?.([path], options)) ?? [];
  if (got === undefined || got.error === 'permission_denied')
    return await stateByListing(backend, path, options);
  if (got.error === 'file_not_found') return ABSENT;
  if (got.error === 'is_directory') return { type: 'dir', mode: MODE };
  if (got.content === null) return stateByListing(backend, path, options);
  const size = got.content.byteLength;
  return size > MAX_UNDO_FILE
    ? { type: 'file', hash: null, size, mode: MODE, mark: hashOf(got.content) }
    : { type: 'file', hash: await keep(got.content), size, mode: MODE };
}

/** A file or folder as the listing of its folder describes it; null if there is none, or nobody tells. */
export async function entryAt(backend: BackendProtocol, path: string): Promise<FileInfo | null> {
  const listed = await backend.ls(dirname(path));
  return listed.files?.find((one) => one.path.replace(/\/+$/, '') === path) ?? null;
}

/** A file that cannot be fetched has no content to go back to. */
async function stateByListing(
  backend: BackendProtocol,
  path: string,
  options: CallOptions | undefined,
): Promise<FileState | null> {
  const listed = await backend.ls(dirname(path), options);
  if (listed.error !== undefined) return listed.kind === 'not_found' ? ABSENT : null;
  const entry = listed.files?.find((one) => one.path.replace(/\/+$/, '') === path);
  if (entry === undefined) return ABSENT;
  if (entry.is_dir === true) return { type: 'dir', mode: MODE };
  const mark = `${entry.size ?? ''}-${entry.modified_at ?? ''}`;
  return { type: 'file', hash: null, size: entry.size ?? 0, mode: MODE, mark };
}

type Outcome = { outcome: 'done' | 'already' | 'changed' | 'lost' | 'failed'; detail?: string };

/**
 * Brings a path of a place from one state to another, as the undo of files in a folder does. The place itself compares the
 * version that was checked here, so a change there during the check is not lost.
 */
export async function applyIn(
  backend: BackendProtocol,
  path: string,
  { before, after }: Pick<PathChange, 'before' | 'after'>,
  contents: { keep: KeepContent; get(hash: string): Promise<Uint8Array | null> },
): Promise<Outcome> {
  // Before the content is fetched, so that a change during either is noticed.
  const condition = await conditionOf(backend, path);
  const now = await stateIn(backend, path, contents.keep);
  if (now === null) return { outcome: 'failed', detail: 'the place cannot be reached' };
  if (sameState(now, after)) return { outcome: 'already' };
  if (!sameState(now, before)) return { outcome: 'changed' };
  // A deletion of a folder would delete whatever is in it.
  if (now.type === 'dir' || after.type === 'dir' || after.type === 'link')
    return { outcome: 'failed', detail: 'only files can be restored there' };
  if (after.type === 'absent') {
    const gone = await backend.delete?.(path, condition);
    if (gone === undefined) return { outcome: 'failed', detail: 'the place deletes no files' };
    if (gone.kind === 'stale') return { outcome: 'changed' };
    return gone.error === undefined ? { outcome: 'done' } : { outcome: 'failed', detail: gone.error };
  }
  const bytes = after.hash === null ? null : await contents.get(after.hash);
  if (bytes === null) return { outcome: 'lost' };
  const [stored] = (await backend.uploadFiles?.([[path, bytes]], condition)) ?? [];
  if (stored === undefined) return { outcome: 'failed', detail: 'the place stores no files' };
  const { error, kind } = stored;
  if (kind === 'stale' || kind === 'conflict' || error === 'file_not_found') return { outcome: 'changed' };
  return error === null ? { outcome: 'done' } : { outcome: 'failed', detail: error };
}

/** For a change of what is at a path now. A file too large to be read there has no version. */
async function conditionOf(
  backend: BackendProtocol,
  path: string,
): Promise<Pick<WriteOptions, 'expectedVersion' | 'createOnly'>> {
  const { kind, version } = await backend.read(path, 0, 1);
  return kind === 'not_found' ? { createOnly: true } : optional({ expectedVersion: version });
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
