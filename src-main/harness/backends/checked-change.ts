import { optional } from '../../contract/shared/optional';
import { existsFailure, type Failure, failure, staleFailure } from './failure';
import { withLock } from './locks';
import type { BackendProtocol, FileUploadResponse, WriteOptions } from './protocol';
import { bytesOf } from './text/content';
import { versionOf } from './text/text';
import { uploaded } from './transfer';

let made = 0;

/** Changes of a backend that may not know the conditions of `WriteOptions`. */
export interface CheckedChanges {
  /** Makes a change of a file if its conditions are met. */
  change<R>(path: string, options: WriteOptions | undefined, work: () => Promise<R>): Promise<R | Failure>;
  /** Stores files as `uploadFiles` does: each if its conditions are met. */
  upload(
    files: [path: string, content: Uint8Array][],
    options: WriteOptions | undefined,
    work: (files: [path: string, content: Uint8Array][]) => Promise<FileUploadResponse[]>,
  ): Promise<FileUploadResponse[]>;
}

export const isConditional = (options: WriteOptions | undefined): boolean =>
  options?.expectedVersion !== undefined || options?.createOnly === true;

/** Whether the condition of a change was not met, so that nothing was done. */
export const isUnmet = ({ kind }: { kind?: string }, options: WriteOptions | undefined): boolean =>
  kind === 'stale' || (kind === 'conflict' && options?.createOnly === true);

/**
 * Reads a file and compares it before a conditional change of it. Changes of one file through here wait for one another; another
 * writer can still come between the comparison and the change.
 */
export function checkedChanges(backend: Pick<BackendProtocol, 'read' | 'readRaw'>): CheckedChanges {
  const own = `checked ${++made}`;
  const change: CheckedChanges['change'] = async (path, options, work) => {
    if (options === undefined || !isConditional(options)) return work();
    return withLock(`${own} ${path}`, async () => (await unmet(backend, path, options)) ?? work());
  };
  return {
    change,
    upload: async (files, options, work) => {
      if (!isConditional(options)) return work(files);
      const answers: FileUploadResponse[] = [];
      for (const [path, content] of files) {
        const done = await change(path, options, async () => (await work([[path, content]]))[0]);
        if (done === undefined || 'path' in done) answers.push(done ?? uploaded(path, unanswered(path)));
        else answers.push(uploaded(path, done));
      }
      return answers;
    },
  };
}

/** Why the change must not be made; null if its conditions are met. */
async function unmet(
  backend: Pick<BackendProtocol, 'read' | 'readRaw'>,
  path: string,
  { signal, expectedVersion, createOnly }: WriteOptions,
): Promise<Failure | null> {
  const page = await backend.read(path, 0, 1, optional({ signal }));
  const { error } = page;
  if (error !== undefined && !isMissing(page.kind, error)) return failure(page.kind ?? 'denied', error);
  if (createOnly === true) return error === undefined ? existsFailure(path) : null;
  if (error !== undefined) return failure('not_found', `Error: File '${path}' not found`);
  const version = page.version ?? (await versionIn(backend, path, signal));
  return version === expectedVersion ? null : staleFailure(path);
}

/** SHA-256 of a whole file, for a backend whose pages have no version. */
async function versionIn(
  backend: Pick<BackendProtocol, 'readRaw'>,
  path: string,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const { data } = await backend.readRaw(path, optional({ signal }));
  if (data === undefined) return null;
  const { content } = data;
  return versionOf(bytesOf(Array.isArray(content) ? content.join('\n') : content));
}

/** The published backends have no kinds. */
const isMissing = (kind: string | undefined, error: string): boolean =>
  kind === undefined ? /not found|no such file|does not exist|ENOENT/i.test(error) : kind === 'not_found';

const unanswered = (path: string): Failure => failure('storage', `Nothing is known about '${path}'.`);
