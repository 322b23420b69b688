import type { ProjectId } from '@contract/ids';
import type { AppError, ErrorInWords } from '@contract/result';
import { listed, type Translate } from '../../i18n';
import { call, toast, toastUndo } from '../../link';
import { plainName, shortName } from '../../ui';

/** Paths per command, as `files.trash` takes them. */
const MAX_PATHS = 1_000;
/** Maximum number of files named that are still there. */
const MAX_NAMED = 3;

export interface Words {
  t: Translate;
  errorWords: (error: AppError) => ErrorInWords;
}

interface Trashed {
  projectId: ProjectId;
  undos: string[];
  failed: { path: string; error: ErrorInWords }[];
}

/**
 * Moves files to the trash. Says which are still there and why, and offers to put the others back. If all are gone, it says `done`,
 * with the same offer, or nothing without it.
 */
export async function toTrash(
  projectId: ProjectId,
  paths: readonly string[],
  words: Words,
  done?: Parameters<typeof toast>[0],
): Promise<void> {
  const trashed = await trash(projectId, paths, words);
  const { undos, failed } = trashed;
  const [first] = failed;
  if (first !== undefined && failed.length === paths.length) return toast(first.error.message);
  const message = first === undefined ? done : messageOf(trashed, first.error, paths.length, words);
  if (message === undefined) return;
  if (undos.length === 0) toast(message);
  else toastUndo(message, () => void putBack(projectId, undos));
}

async function trash(projectId: ProjectId, paths: readonly string[], { errorWords }: Words) {
  const trashed: Trashed = { projectId, undos: [], failed: [] };
  for (let at = 0; at < paths.length; at += MAX_PATHS) {
    const some = paths.slice(at, at + MAX_PATHS);
    const result = await call('files.trash', { projectId, paths: some });
    if (!result.ok) {
      trashed.failed.push(...some.map((path) => ({ path, error: result.error })));
      continue;
    }
    const { undo, failed } = result.value;
    if (undo !== null) trashed.undos.push(undo);
    trashed.failed.push(...failed.map(({ path, error }) => ({ path, error: errorWords(error) })));
  }
  return trashed;
}

async function putBack(projectId: ProjectId, undos: readonly string[]): Promise<void> {
  for (const undo of undos.toReversed()) {
    const result = await call('files.untrash', { projectId, undo });
    if (!result.ok) toast(result.error.message);
  }
}

function messageOf({ failed }: Trashed, error: ErrorInWords, count: number, { t }: Words) {
  const names = failed
    .slice(0, MAX_NAMED)
    .map(({ path }) => plainName(path.slice(path.lastIndexOf('/') + 1)));
  const rest = failed.length > MAX_NAMED ? ['…'] : [];
  const say = (shown: readonly string[]) => {
    const counts = { done: count - failed.length, count, names: listed(t, [...shown, ...rest]) };
    return t('app.sentences', { first: error.message, second: t('files.trashedSome', counts) });
  };
  return { text: say(names.map((name) => shortName(name))), full: say(names) };
}
