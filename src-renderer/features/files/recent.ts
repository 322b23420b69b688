import type { ProjectId } from '@contract/ids';

/** Files that quick open offers before anything is typed. */
const KEPT = 20;
const keyOf = (projectId: ProjectId) => `deepdesk.recent.${projectId}`;

/** Paths of the files that were opened last, the last first. */
export function recentFiles(projectId: ProjectId): string[] {
  try {
    const paths: unknown = JSON.parse(localStorage.getItem(keyOf(projectId)) ?? '[]');
    return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
  } catch {
    // Only view state: a value that cannot be read is as good as none.
    return [];
  }
}

export function rememberFile(projectId: ProjectId, path: string): void {
  const rest = recentFiles(projectId).filter((other) => other !== path);
  localStorage.setItem(keyOf(projectId), JSON.stringify([path, ...rest].slice(0, KEPT)));
}
