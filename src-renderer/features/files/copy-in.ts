import type { ProjectId } from '@contract/ids';
import type { ErrorInWords } from '@contract/result';
import type { Translate } from '../../i18n';
import { call, toast, toastUndo } from '../../link';
import { plainName } from '../../ui';
import { type Dropped, droppedFiles, MAX_FILES, putFile } from './put-files';
import { toTrash, type Words } from './to-trash';

/** Milliseconds between two messages about a copy, and before the first. */
const TOLD_EVERY = 1_000;

interface Target {
  projectId: ProjectId;
  /** Where the files go. */
  folder: string;
}

/**
 * Copies what was dropped from another program into a folder; overwrites nothing. Says how far it is, with a button that stops it, and
 * at the end what was copied, with an undo that moves the copies to the trash. Call it inside the drop event.
 */
export async function copyIn(transfer: DataTransfer, target: Target, words: Words): Promise<void> {
  const { t } = words;
  const files = await droppedFiles(transfer).catch(() => null);
  if (files === null) return toast(t('files.cannotReadDropped'));
  if (files.length > MAX_FILES) return toast(t('files.tooManyDropped', { limit: MAX_FILES }));
  if (files.length === 0) return;
  const before = await namesIn(target);
  const about = `copy-in ${crypto.randomUUID()}`;
  const { copies, failed, stopped } = await copyAll(files, target, about, t);
  const count = files.length;
  const done = copies.length;
  const some = t('files.copiedSome', { done, count });
  const full = stopped ? some : t('files.copiedIn', { count });
  const withSome = (first: string) => (done > 0 ? t('app.sentences', { first, second: some }) : first);
  const message = failed === undefined ? full : withSome(failed.message);
  if (done === 0) return toast(message, undefined, about);
  const undo = () => void toTrash(target.projectId, newest(copies, target, before), words);
  toastUndo(message, undo, about);
}

interface Copy {
  /** Relative to the folder, as it was dropped. */
  name: string;
  /** Where it is now. */
  path: string;
}

async function copyAll(files: readonly Dropped[], target: Target, about: string, t: Translate) {
  const stop = new AbortController();
  const copies: Copy[] = [];
  const timer = setInterval(
    () =>
      toast(
        t('files.copying', { done: copies.length, count: files.length }),
        { label: t('files.stopCopying'), run: () => stop.abort() },
        about,
      ),
    TOLD_EVERY,
  );
  try {
    for (const dropped of files) {
      const put = await putFile(target.projectId, target.folder, dropped, stop.signal).catch(() => null);
      if (put === null) {
        const name = plainName(dropped.name);
        const failed: ErrorInWords = { kind: 'not_found', message: t('files.cannotReadFile', { name }) };
        return { copies, failed, stopped: false };
      }
      if (!put.ok) return { copies, failed: put.error, stopped: false };
      if (put.value.path !== null) copies.push({ name: dropped.name, path: put.value.path });
      if (stop.signal.aborted) break;
    }
    return { copies, stopped: copies.length < files.length };
  } finally {
    clearInterval(timer);
  }
}

/** Names in the folder. Null if they are too many to know, or unknown. */
async function namesIn({ projectId, folder }: Target): Promise<Set<string> | null> {
  const listed = await call('files.list', { projectId, threadId: null, path: folder });
  if (!listed.ok || listed.value.nextOffset !== null) return null;
  return new Set(listed.value.entries.map(({ name }) => name));
}

/** The copies as few paths: a folder that was not there before stands for everything in it. */
function newest(copies: readonly Copy[], { folder }: Target, before: Set<string> | null): string[] {
  const paths = copies.map(({ name, path }) => {
    const [top = '', ...below] = name.split('/');
    return below.length > 0 && before !== null && !before.has(top) ? `${folder}/${top}` : path;
  });
  return [...new Set(paths)];
}
