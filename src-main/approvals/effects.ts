import { namesOfPath } from '../base/path-names';
import type { Approval } from '../contract/conversation';
import { hasOddCharacters } from '../contract/shared/shown-name';

/** Where the tools' paths lead. No trailing slashes. */
export interface Places {
  /** Mount of the chosen folder. */
  folder: string;
  memories: string;
}

export type Effect =
  | { kind: 'none' }
  | { kind: 'scratch' }
  | { kind: 'memory' }
  | { kind: 'refused'; reason: string }
  | { kind: 'ask'; reason: string; risk: Approval['risk'] };

const READS = new Set(['ls', 'read_file', 'glob', 'grep', 'list_jobs', 'job_output']);
const CHANGES = new Set(['write_file', 'edit_file', 'delete']);

/** What a call would touch, from its name and arguments alone. What it cannot tell is asked. */
export function classify(tool: string, args: Record<string, unknown>, places: Places): Effect {
  if (READS.has(tool)) return { kind: 'none' };
  // A sub-agent's own calls pass the same gate one by one.
  if (tool === 'write_todos' || tool === 'task' || tool === 'compact_conversation')
    return { kind: 'scratch' };
  // It ends only what was started with the person's leave.
  if (tool === 'stop_job') return { kind: 'scratch' };
  if (tool === 'execute' && args.background === true) {
    const reason =
      'It goes on in the background, in a terminal of its own, until it ends or is stopped. Commands can change anything that you can change.';
    return { kind: 'ask', reason, risk: 'medium' };
  }
  if (tool === 'execute') {
    return { kind: 'ask', reason: 'Commands can change anything that you can change.', risk: 'medium' };
  }
  if (CHANGES.has(tool)) return classifyChange(tool, args.file_path, places);
  return { kind: 'ask', reason: `Deepdesk does not know what "${tool}" does.`, risk: 'high' };
}

function classifyChange(tool: string, path: unknown, places: Places): Effect {
  if (typeof path !== 'string') return { kind: 'refused', reason: 'file_path must be a text.' };
  const segments = namesOfPath(path);
  if (segments === null) return { kind: 'refused', reason: `Path traversal not allowed: ${path}` };
  const inMemories = startsWithNamesOf(segments, places.memories);
  // Deleting makes no name, and may be the way to be rid of one.
  if (
    tool !== 'delete' &&
    (inMemories || overlaps(segments, places.folder)) &&
    segments.some(hasOddCharacters)
  )
    return {
      kind: 'ask',
      reason: 'Its name has characters that cannot be seen for what they are.',
      risk: 'high',
    };
  if (inMemories) {
    // One file can be brought back by one undo; a name without an ending may be a whole folder.
    const isFile = segments.at(-1)?.includes('.') === true;
    return tool === 'delete' && !isFile
      ? { kind: 'ask', reason: 'It may delete a whole folder of memories.', risk: 'high' }
      : { kind: 'memory' };
  }
  // Whoever meant the folder by `home\\me\\project` is asked as well: taken for a name, it is in nobody's way.
  const meant = segments.flatMap((name) => name.split('\\')).filter((name) => name !== '');
  if (!overlaps(segments, places.folder) && !overlaps(meant, places.folder)) return { kind: 'scratch' };
  if (tool === 'delete')
    return { kind: 'ask', reason: 'Deleting removes files from your folder.', risk: 'high' };
  return { kind: 'ask', reason: 'It changes a file in your folder.', risk: 'low' };
}

function startsWithNamesOf(segments: string[], place: string): boolean {
  const root = namesOfPath(place) ?? [];
  return root.length <= segments.length && root.every((segment, index) => segment === segments[index]);
}

/** Below the place, or above it: deleting `/home` would reach a folder mounted there. Case is folded, since systems do. */
function overlaps(segments: string[], place: string): boolean {
  const root = (namesOfPath(place) ?? []).map((segment) => segment.toLowerCase());
  const common = Math.min(root.length, segments.length);
  return root.slice(0, common).every((segment, index) => segment === segments[index]?.toLowerCase());
}
