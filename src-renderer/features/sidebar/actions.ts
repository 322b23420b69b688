import type { Project, ThreadSummary } from '@contract/app';
import type { ExportFormat } from '@contract/commands/thread';
import type { ProjectId, ThreadId } from '@contract/ids';
import type { Answer } from '@contract/result';
import { isVisibleName } from '@contract/shared/shown-name';
import { naming, type Translate } from '../../i18n';
import { call, noteRemoval, openThread, toast, toastUndo } from '../../link';

/** The projects in which a thread is being started. */
const starting = new Set<ProjectId>();

/** Starts a thread and shows it; null if one is being started already. Errors appear as a toast. */
export async function newThread(projectId: ProjectId): Promise<ThreadId | null> {
  if (starting.has(projectId)) return null;
  starting.add(projectId);
  const result = await call('thread.create', { projectId });
  starting.delete(projectId);
  if (!result.ok) {
    toast(result.error.message);
    return null;
  }
  openThread(result.value.id);
  return result.value.id;
}

/** Opens the system's folder picker; resolves to null if the person cancels. */
export async function addFolder(): Promise<Project | null> {
  const result = await call('project.choose', {});
  if (result.ok) return result.value.project;
  toast(result.error.message);
  return null;
}

/** Milliseconds within which consecutive deletions are undone together: as long as the offer lasts. */
const TOGETHER = 10_000;
let deleted: { threads: readonly ThreadSummary[]; at: number } = { threads: [], at: 0 };

/** Does the same with each thread, returns those where it succeeded, and reports errors. */
async function withEach(
  threads: readonly ThreadSummary[],
  act: (thread: ThreadSummary) => Promise<Answer<unknown>>,
): Promise<ThreadSummary[]> {
  const results = await Promise.all(threads.map(act));
  const failed = results.find((result) => !result.ok);
  if (failed?.ok === false) toast(failed.error.message);
  return threads.filter((_thread, index) => results[index]?.ok === true);
}

/** Deletes immediately and offers to undo it, together with a deletion right before. */
export async function deleteThreads(chosen: readonly ThreadSummary[], t: Translate): Promise<void> {
  for (const { id } of chosen) noteRemoval(id);
  const gone = await withEach(chosen, ({ id }) => call('thread.delete', { threadId: id }));
  const [thread] = gone;
  if (thread === undefined) return;
  const now = performance.now();
  const threads = [...(now - deleted.at < TOGETHER ? deleted.threads : []), ...gone];
  deleted = { threads, at: now };
  const message =
    threads.length > 1
      ? t('sidebar.deletedMany', { count: threads.length })
      : naming(t, 'sidebar.deleted', { title: thread.title || t('sidebar.untitled') });
  toastUndo(message, () => void restoreThreads(threads), 'sidebar.deleted');
}

/** Restores threads, and shows the one that was deleted last. */
async function restoreThreads(threads: readonly ThreadSummary[]): Promise<void> {
  deleted = { threads: [], at: 0 };
  const results = await Promise.all(threads.map(({ id }) => call('thread.restore', { threadId: id })));
  const failed = results.find((result) => !result.ok);
  if (failed?.ok === false) toast(failed.error.message);
  const last = results.findLast((result) => result.ok);
  if (last?.ok) openThread(last.value.id);
}

/** A name as it may be sent, without half a character at its end. */
const shortened = (name: string, max: number): string =>
  name
    .trim()
    .slice(0, max)
    .replace(/[\ud800-\udbff]$/, '')
    .trim();

/** Gives something a new name, and offers its earlier one again. Without one there is nothing to go back to. */
async function rename(
  before: string,
  name: string,
  give: (name: string) => Promise<Answer<unknown>>,
  t: Translate,
): Promise<void> {
  const giveName = async (wanted: string) => {
    const result = await give(wanted);
    if (!result.ok) toast(result.error.message);
    return result.ok;
  };
  if (!isVisibleName(name) || name === before || !(await giveName(name)) || before === '') return;
  toastUndo(naming(t, 'sidebar.renamed', { from: before, to: name }), () => void giveName(before));
}

export const renameThread = ({ id, title: before }: ThreadSummary, title: string, t: Translate) =>
  rename(before, shortened(title, 200), (name) => call('thread.rename', { threadId: id, title: name }), t);

/** Removes the folder from the list, and offers to undo that. */
export async function removeProject(project: Project, t: Translate): Promise<void> {
  noteRemoval(project.id);
  const result = await call('project.remove', { projectId: project.id });
  if (!result.ok) {
    toast(result.error.message);
    return;
  }
  const restore = async () => {
    const restored = await call('project.restore', { projectId: project.id });
    if (!restored.ok) toast(restored.error.message);
  };
  toastUndo(naming(t, 'sidebar.removed', { project: project.name }), () => void restore());
}

export async function revealProject(project: Project): Promise<void> {
  const result = await call('project.reveal', { projectId: project.id });
  if (!result.ok) toast(result.error.message);
}

/** Asks for a file name and exports the thread to it. */
export async function exportThread(threadId: ThreadId, format: ExportFormat, t: Translate): Promise<void> {
  const result = await call('thread.export', { threadId, format });
  if (!result.ok) toast(result.error.message);
  else if (result.value.path !== null) toast(t('sidebar.exported', { path: result.value.path }));
}

/** Asks for an exported thread, imports it and shows it. */
export async function importThread(projectId: ProjectId): Promise<void> {
  const result = await call('thread.import', { projectId });
  if (!result.ok) toast(result.error.message);
  else if (result.value.thread) openThread(result.value.thread.id);
}

interface ThreadMarks {
  pinned?: boolean;
  archived?: boolean;
}

const mark = (threads: readonly ThreadSummary[], marksOf: (thread: ThreadSummary) => ThreadMarks) =>
  withEach(threads, (thread) => call('thread.mark', { threadId: thread.id, ...marksOf(thread) }));

/** Pins, archives, or undoes either. Offers undo for threads that leave the list and for several at once. */
export async function markThreads(
  chosen: readonly ThreadSummary[],
  marks: ThreadMarks,
  t: Translate,
): Promise<void> {
  const done = await mark(chosen, () => marks);
  const [thread] = done;
  if (thread === undefined || (done.length === 1 && marks.archived !== true)) return;
  const message =
    done.length > 1
      ? t(manyWords(marks), { count: done.length })
      : naming(t, 'sidebar.wasArchived', { title: thread.title || t('sidebar.untitled') });
  toastUndo(message, () => void mark(done, ({ pinned = false, archived = false }) => ({ pinned, archived })));
}

function manyWords({ pinned, archived }: ThreadMarks) {
  if (archived !== undefined) return archived ? 'sidebar.archivedMany' : 'sidebar.unarchivedMany';
  return pinned === true ? 'sidebar.pinnedMany' : 'sidebar.unpinnedMany';
}

/** Copies a thread with all its content, and shows the copy. */
export async function duplicateThread(thread: ThreadSummary): Promise<void> {
  const result = await call('thread.duplicate', { threadId: thread.id });
  if (result.ok) openThread(result.value.id);
  else toast(result.error.message);
}

export const renameProject = ({ id, name: before }: Project, typed: string, t: Translate) =>
  rename(before, shortened(typed, 100), (name) => call('project.rename', { projectId: id, name }), t);

/** Moves a project before another one, or to the end (null). */
export async function moveProject(projectId: ProjectId, before: ProjectId | null): Promise<void> {
  if (projectId === before) return;
  const result = await call('project.move', { projectId, before });
  if (!result.ok) toast(result.error.message);
}

/** Checks whether a missing folder is back. */
export async function lookForFolder(project: Project, t: Translate): Promise<void> {
  const result = await call('project.look', { projectId: project.id });
  if (!result.ok) toast(result.error.message);
  else if (result.value.remote !== undefined)
    toast(
      t(result.value.missing ? 'sidebar.stillOffline' : 'sidebar.backOnline', {
        machine: result.value.remote.machine,
      }),
    );
  else
    toast(
      t(result.value.missing ? 'sidebar.stillMissing' : 'sidebar.foundAgain', {
        folder: result.value.folder,
      }),
    );
}

/** Lets the person select the new location of the project's folder. */
export async function reattachProject(project: Project, t: Translate): Promise<void> {
  const result = await call('project.reattach', { projectId: project.id });
  if (!result.ok) toast(result.error.message);
  else if (result.value.project !== null)
    toast(t('sidebar.reattached', { folder: result.value.project.folder }));
}
