import type { ProjectId } from '@contract/ids';

/** What the person typed into a file and did not save yet. */
export interface Unsaved {
  text: string;
  /** Of the file that they began with. */
  version: string;
}

/** For what the browser's storage could not take (too large), for as long as the window lives. */
const here = new Map<string, Unsaved>();
const keyOf = (projectId: ProjectId, path: string) => `deepdesk:unsaved:${projectId}:${path}`;

export function readUnsaved(projectId: ProjectId, path: string): Unsaved | undefined {
  const key = keyOf(projectId, path);
  const known = here.get(key);
  if (known !== undefined) return known;
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    if (typeof stored !== 'object' || stored === null || !('text' in stored) || !('version' in stored))
      return undefined;
    const { text, version } = stored;
    return typeof text === 'string' && typeof version === 'string' ? { text, version } : undefined;
  } catch {
    // A value that cannot be read is as good as none.
    return undefined;
  }
}

/** Kept while one looks at other files, and across restarts; undefined: there is nothing to keep any more. */
export function writeUnsaved(projectId: ProjectId, path: string, unsaved: Unsaved | undefined): void {
  const key = keyOf(projectId, path);
  here.delete(key);
  if (unsaved === undefined) {
    localStorage.removeItem(key);
    return;
  }
  try {
    localStorage.setItem(key, JSON.stringify(unsaved));
  } catch {
    localStorage.removeItem(key);
    here.set(key, unsaved);
  }
}
