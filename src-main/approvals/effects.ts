import { namesOfPath } from '../base/path-names';
import type { Approval } from '../contract/conversation';
import { hasOddCharacters } from '../contract/shared/shown-name';
import { effectOf } from '../harness/tools/catalogue';

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

const ANYTHING = 'Commands can change anything that you can change.';
const GOES_ON = `It goes on in the background, in a terminal of its own, until it ends or is stopped. ${ANYTHING}`;

/** What a call would touch, from its name and arguments alone. What it cannot tell is asked. */
export function classify(tool: string, args: Record<string, unknown>, places: Places): Effect {
  const effect = effectOf(tool);
  switch (effect) {
    case 'reads':
      return { kind: 'none' };
    // A sub-agent's own calls pass the same gate one by one.
    case 'delegates':
    case 'thread':
      return { kind: 'scratch' };
    case 'runs':
      return { kind: 'ask', reason: args.background === true ? GOES_ON : ANYTHING, risk: 'medium' };
    case 'writes':
    case 'deletes':
      return classifyChange(effect === 'deletes', args.file_path, places);
    case undefined:
      return { kind: 'ask', reason: `Deepdesk does not know what "${tool}" does.`, risk: 'high' };
    default:
      return effect satisfies never;
  }
}

function classifyChange(isDeletion: boolean, path: unknown, places: Places): Effect {
  if (typeof path !== 'string') return { kind: 'refused', reason: 'file_path must be a text.' };
  const segments = namesOfPath(path);
  if (segments === null) return { kind: 'refused', reason: `Path traversal not allowed: ${path}` };
  const inMemories = startsWithNamesOf(segments, places.memories);
  // Deleting makes no name, and may be the way to be rid of one.
  if (!isDeletion && (inMemories || overlaps(segments, places.folder)) && segments.some(hasOddCharacters))
    return {
      kind: 'ask',
      reason: 'Its name has characters that cannot be seen for what they are.',
      risk: 'high',
    };
  if (inMemories) {
    // One file can be brought back by one undo; a name without an ending may be a whole folder.
    const isFile = segments.at(-1)?.includes('.') === true;
    return isDeletion && !isFile
      ? { kind: 'ask', reason: 'It may delete a whole folder of memories.', risk: 'high' }
      : { kind: 'memory' };
  }
  // Whoever meant the folder by `home\\me\\project` is asked as well: taken for a name, it is in nobody's way.
  const meant = segments.flatMap((name) => name.split('\\')).filter((name) => name !== '');
  if (!overlaps(segments, places.folder) && !overlaps(meant, places.folder)) return { kind: 'scratch' };
  if (isDeletion) return { kind: 'ask', reason: 'Deleting removes files from your folder.', risk: 'high' };
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
