import type { ProjectId } from '@contract/ids';

/** How many files quick open offers before the person types. */
const KEPT = 20;
const keyOf = (projectId: ProjectId) => `deepdesk.recent.${projectId}`;

/** The paths of recently opened files, newest first. */
export function recentFiles(projectId: ProjectId): string[] {
  try {
    const paths: unknown = JSON.parse(localStorage.getItem(keyOf(projectId)) ?? '[]');
    return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
  } catch {
    // This is only view state, so an unreadable value counts as missing.
    return [];
  }
}

export function rememberFile(projectId: ProjectId, path: string): void {
  const rest = recentFiles(projectId).filter((other) => other !== path);
  localStorage.setItem(keyOf(projectId), JSON.stringify([path, ...rest].slice(0, KEPT)));
}
