import type { Project, ThreadSummary } from '@contract/app';

export interface Group {
  project: Project;
  threads: ThreadSummary[];
}

/**
 * Projects, the last opened first, each with its threads, the last changed first. With a query only threads whose title
 * holds it (any case), and only projects that have one.
 */
export function groupThreads(
  projects: readonly Project[],
  threads: readonly ThreadSummary[],
  query: string,
): Group[] {
  const wanted = query.trim().toLocaleLowerCase();
  return [...projects]
    .sort((a, b) => b.openedAt - a.openedAt)
    .map((project) => ({
      project,
      threads: threads
        .filter(
          (thread) => thread.projectId === project.id && thread.title.toLocaleLowerCase().includes(wanted),
        )
        .sort((a, b) => b.updatedAt - a.updatedAt),
    }))
    .filter((group) => wanted === '' || group.threads.length > 0);
}
