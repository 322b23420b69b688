import type { Project, ThreadSummary } from '@contract/app';
import { foldText } from '@contract/shared/fold-text';

export interface Group {
  project: Project;
  /** Threads that are not archived: pinned ones first, then the last changed. */
  threads: ThreadSummary[];
  archived: ThreadSummary[];
}

/** Projects in the person's order; those without a position come first, the last opened on top. */
const byPlace = (a: Project, b: Project) => (a.rank ?? -1) - (b.rank ?? -1) || b.openedAt - a.openedAt;

const byActivity = (a: ThreadSummary, b: ThreadSummary) =>
  Number(b.pinned ?? false) - Number(a.pinned ?? false) || b.updatedAt - a.updatedAt;

/**
 * Projects in order, each with its threads and those in its private copies. With a query, only threads whose title contains it (ignoring case), and only
 * projects that have one.
 */
export function groupThreads(
  projects: readonly Project[],
  threads: readonly ThreadSummary[],
  query: string,
): Group[] {
  const wanted = foldText(query.trim());
  const groups = new Map(
    projects
      .filter(({ copy }) => copy === undefined)
      .sort(byPlace)
      .map((project): [string, Group] => [project.id, { project, threads: [], archived: [] }]),
  );
  const originals = new Map(projects.map(({ id, copy }) => [id, copy?.of]));
  const found = wanted === '' ? threads : threads.filter(({ title }) => foldText(title).includes(wanted));
  for (const thread of [...found].sort(byActivity)) {
    const group = groups.get(originals.get(thread.projectId) ?? thread.projectId);
    (thread.archived === true ? group?.archived : group?.threads)?.push(thread);
  }
  return [...groups.values()].filter(
    (group) => wanted === '' || group.threads.length + group.archived.length > 0,
  );
}
