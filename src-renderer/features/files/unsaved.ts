import type { ProjectId } from '@contract/ids';
import { flushSoon } from '../../link';

/** What the user typed into a file and has not saved yet. */
export interface Unsaved {
  text: string;
  /** The version of the file that the edit is based on. */
  version: string;
}

/** Drafts too large for the browser's storage, kept until the window closes. */
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
    // An unreadable value counts as missing.
    return undefined;
  }
}

/** Keeps a draft while the user views other files, and across restarts. Undefined deletes it. */
export function writeUnsaved(projectId: ProjectId, path: string, unsaved: Unsaved | undefined): void {
  const key = keyOf(projectId, path);
  here.delete(key);
  flushSoon();
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
