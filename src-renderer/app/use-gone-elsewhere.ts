import type { Project, ThreadSummary } from '@contract/app';
import type { ThreadId } from '@contract/ids';
import { useEffect, useRef } from 'react';
import { naming, useT } from '../i18n';
import { call, openThread, takeRemoval, toast, toastUndo, useAnswered, useApp } from '../link';
import { selectProject } from './ui-store';

/**
 * Says that the shown thread or project was removed in another window, since this one then shows something else. Offers to
 * undo it.
 */
export function useGoneElsewhere(project: Project | undefined, threadId: ThreadId | null): void {
  const t = useT();
  const projects = useApp((app) => app.projects);
  const threads = useApp((app) => app.threads);
  const isAnswered = useAnswered();
  const shown = useRef<{ project: Project | undefined; thread: ThreadSummary | undefined }>(undefined);
  useEffect(() => {
    const before = isAnswered ? shown.current : undefined;
    shown.current = { project, thread: threads.find(({ id }) => id === threadId) };
    if (before?.project !== undefined && !projects.some(({ id }) => id === before.project?.id)) {
      const { id, name, copy } = before.project;
      if (takeRemoval(id)) return;
      const message = naming(t, 'sidebar.removedElsewhere', { project: name });
      if (copy === undefined) toastUndo(message, () => void restoreProject(before.project));
      else toast(message);
    } else if (before?.thread !== undefined && !threads.some(({ id }) => id === before.thread?.id)) {
      const { id, title } = before.thread;
      // A thread without a title has no messages: nothing is lost with it.
      if (takeRemoval(id) || title === '') return;
      toastUndo(naming(t, 'sidebar.deletedElsewhere', { title }), () => void restoreThread(id));
    }
  }, [project, threadId, projects, threads, isAnswered, t]);
}

async function restoreThread(threadId: ThreadId): Promise<void> {
  const restored = await call('thread.restore', { threadId });
  if (restored.ok) openThread(threadId);
  else toast(restored.error.message);
}

async function restoreProject(project: Project | undefined): Promise<void> {
  if (project === undefined) return;
  const restored = await call('project.restore', { projectId: project.id });
  if (restored.ok) selectProject(project.id, null);
  else toast(restored.error.message);
}
