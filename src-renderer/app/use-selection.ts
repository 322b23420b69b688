import type { Project } from '@contract/app';
import type { ProjectId, ThreadId } from '@contract/ids';
import { useEffect, useRef } from 'react';
import { newThread } from '../features/sidebar';
import { useAnswered, useApp } from '../link';
import { selectThread, useUi } from './ui-store';
import { useGoneElsewhere } from './use-gone-elsewhere';

/**
 * The shown project and thread: the chosen ones if they still exist, otherwise the last opened project and its most recently
 * changed thread. A project without threads gets one, once, so that you can type immediately.
 */
export function useSelection(): { project: Project | undefined; threadId: ThreadId | null } {
  const projects = useApp((app) => app.projects);
  const threads = useApp((app) => app.threads);
  const chosenProject = useUi((ui) => ui.projectId);
  const chosenThread = useUi((ui) => ui.threadId);
  const started = useRef(new Set<ProjectId>());

  const project =
    projects.find((one) => one.id === chosenProject) ??
    projects.reduce<Project | undefined>(
      (last, one) => (one.copy || (last && last.openedAt >= one.openedAt) ? last : one),
      undefined,
    );
  const own = threads.filter((thread) => thread.projectId === project?.id);
  const latest = own
    .filter((thread) => thread.archived !== true)
    .reduce<(typeof own)[number] | undefined>(
      (last, one) => (last && last.updatedAt >= one.updatedAt ? last : one),
      undefined,
    );
  const threadId = own.find((thread) => thread.id === chosenThread)?.id ?? latest?.id ?? null;

  const isAnswered = useAnswered();
  const beginIn = isAnswered && project && !project.missing && own.length === 0 ? project.id : undefined;
  useEffect(() => {
    if (beginIn === undefined || started.current.has(beginIn)) return;
    started.current.add(beginIn);
    void newThread(beginIn);
  }, [beginIn]);

  const wantedId = useUi((ui) => ui.wantedThreadId);
  const wanted = wantedId === null ? undefined : threads.find((thread) => thread.id === wantedId);
  useEffect(() => {
    if (wanted) selectThread(wanted.projectId, wanted.id);
  }, [wanted]);

  // A thread chosen as a fallback stays selected while others change.
  useEffect(() => {
    if (threadId !== null && threadId !== chosenThread) useUi.setState({ threadId });
  }, [threadId, chosenThread]);

  useGoneElsewhere(project, threadId);
  return { project, threadId };
}
