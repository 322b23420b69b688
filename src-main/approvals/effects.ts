import { namesOfPath } from '../base/path-names';
import type { Approval } from '../contract/conversation';
import { because, type Reasons } from '../contract/shared/reasons';
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
  | { kind: 'refused'; reason: Reasons }
  | { kind: 'ask'; reason: Reasons; risk: Approval['risk'] };

const ANYTHING = because('changes_anything');
const GOES_ON = because('goes_on');

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
      return {
        kind: 'ask',
        reason: args.background === true ? [ANYTHING, GOES_ON] : [ANYTHING],
        risk: 'medium',
      };
    case 'writes':
    case 'deletes':
      return classifyChange(effect === 'deletes', args.file_path, places);
    case undefined:
      return { kind: 'ask', reason: [because('unknown_tool', { tool })], risk: 'high' };
    default:
      return effect satisfies never;
  }
}

function classifyChange(isDeletion: boolean, path: unknown, places: Places): Effect {
  if (typeof path !== 'string') return { kind: 'refused', reason: [because('path_not_text')] };
  const segments = namesOfPath(path);
  if (segments === null) return { kind: 'refused', reason: [because('path_traversal', { path })] };
  const inMemories = startsWithNamesOf(segments, places.memories);
  // Deleting makes no name, and may be the way to be rid of one.
  if (!isDeletion && (inMemories || overlaps(segments, places.folder)) && segments.some(hasOddCharacters))
    return {
      kind: 'ask',
      reason: [because('odd_characters')],
      risk: 'high',
    };
  if (inMemories) {
    // One file can be brought back by one undo; a name without an ending may be a whole folder.
    const isFile = segments.at(-1)?.includes('.') === true;
    return isDeletion && !isFile
      ? { kind: 'ask', reason: [because('deletes_memories')], risk: 'high' }
      : { kind: 'memory' };
  }
  // Whoever meant the folder by `home\\me\\project` is asked as well: taken for a name, it is in nobody's way.
  const meant = segments.flatMap((name) => name.split('\\')).filter((name) => name !== '');
  if (!overlaps(segments, places.folder) && !overlaps(meant, places.folder)) return { kind: 'scratch' };
  if (isDeletion) return { kind: 'ask', reason: [because('deletes_from_folder')], risk: 'high' };
  return { kind: 'ask', reason: [because('changes_file')], risk: 'low' };
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
