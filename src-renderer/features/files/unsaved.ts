import type { ProjectId } from '@contract/ids';
import { keepText, keptJson, keptKeysFrom, keptText } from '../../link';

/** What the person typed into a file and has not saved yet. */
export interface Unsaved {
  text: string;
  /** The version of the file that the edit is based on. */
  version: string;
}

const keyOf = (projectId: ProjectId, path: string) => `deepdesk:unsaved:${projectId}:${path}`;

export function readUnsaved(projectId: ProjectId, path: string): Unsaved | undefined {
  const stored = keptJson(keyOf(projectId, path));
  if (typeof stored !== 'object' || stored === null || !('text' in stored) || !('version' in stored))
    return undefined;
  const { text, version } = stored;
  return typeof text === 'string' && typeof version === 'string' ? { text, version } : undefined;
}

/** Moves the drafts of a file that was moved, or of all files in a folder that was. */
export function moveUnsaved(projectId: ProjectId, from: string, to: string): void {
  const begin = keyOf(projectId, from);
  for (const key of keptKeysFrom(begin)) {
    const rest = key.slice(begin.length);
    if (rest !== '' && !rest.startsWith('/')) continue;
    keepText(keyOf(projectId, to) + rest, keptText(key));
    keepText(key, '');
  }
}

/** Keeps a draft while the person views other files, and across restarts. Undefined deletes it. */
export function writeUnsaved(projectId: ProjectId, path: string, unsaved: Unsaved | undefined): void {
  keepText(keyOf(projectId, path), unsaved === undefined ? '' : JSON.stringify(unsaved));
}
