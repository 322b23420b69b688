import { pageAddress } from '../base/network/page-address';
import { namesOfPath } from '../base/path-names';
import type { Approval } from '../contract/approvals';
import { because, type Reasons } from '../contract/shared/reasons';
import { hasOddCharacters } from '../contract/shared/shown-name';
import { effectOf } from '../harness/tools/catalogue';

/** The locations that tool paths refer to. No trailing slashes. */
export interface Places {
  /** Mount of the chosen folder. */
  folder: string;
  memories: string;
  /** What the person mounted in addition to the folder. */
  mounts?: readonly MountedPlace[];
  /** The server to which a call for a remote agent sends its text; null if it names none. */
  recipientOf?(args: Record<string, unknown>): string | null;
}

export interface MountedPlace {
  /** Without a trailing slash. */
  path: string;
  /** Whether a change at a path there needs approval. */
  asks(path: string): boolean;
  /** Its files are on another computer or service: a change sends something there. */
  isAway: boolean;
}

export type Effect =
  | { kind: 'none' }
  | { kind: 'scratch' }
  /** The call itself is the question. */
  | { kind: 'question' }
  | { kind: 'fetch'; host: string }
  | { kind: 'memory' }
  /** A change in a place whose owner lets the agent write there. */
  | { kind: 'place'; reason: Reasons; isAway: boolean }
  | { kind: 'refused'; reason: Reasons }
  | { kind: 'ask'; reason: Reasons; risk: Approval['risk']; isAway?: boolean };

const ANYTHING = because('changes_anything');
const GOES_ON = because('goes_on');

/** The effect of a call, judged by its name and arguments alone. Unknown effects need approval. */
export function classify(tool: string, args: Record<string, unknown>, places: Places): Effect {
  const effect = effectOf(tool);
  switch (effect) {
    case 'reads':
      return { kind: 'none' };
    // A sub-agent's calls pass the same gate one by one.
    case 'delegates':
    case 'thread':
      return { kind: 'scratch' };
    case 'fetches':
      return classifyFetch(args.url);
    case 'sends':
      return classifySending(places.recipientOf?.(args) ?? null);
    case 'asks':
      return { kind: 'question' };
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

const classifySending = (host: string | null): Effect => ({
  kind: 'ask',
  reason: [host === null ? because('sends_to_remote_agent') : because('sends_to_agent_at', { host })],
  risk: 'medium',
  isAway: true,
});

const ADDRESS_PROBLEMS = {
  invalid: because('page_address_invalid'),
  scheme: because('page_address_scheme'),
  credentials: because('page_address_credentials'),
  own_network: because('page_address_own_network'),
} as const;

function classifyFetch(address: unknown): Effect {
  const page = pageAddress(address);
  return page instanceof URL
    ? { kind: 'fetch', host: page.host }
    : { kind: 'refused', reason: [ADDRESS_PROBLEMS[page]] };
}

function classifyChange(isDeletion: boolean, path: unknown, places: Places): Effect {
  if (typeof path !== 'string') return { kind: 'refused', reason: [because('path_not_text')] };
  const segments = namesOfPath(path);
  if (segments === null) return { kind: 'refused', reason: [because('path_traversal', { path })] };
  const inMemories = startsWithNamesOf(segments, places.memories);
  // Deleting creates no name, and may be the way to get rid of one.
  const mount = places.mounts?.find((one) => overlaps(segments, one.path));
  const isKept = inMemories || mount !== undefined || overlaps(segments, places.folder);
  if (!isDeletion && isKept && segments.some(hasOddCharacters))
    return {
      kind: 'ask',
      reason: [because('odd_characters')],
      risk: 'high',
    };
  if (inMemories) {
    // One undo restores one file, but a name without an extension may be a whole folder.
    const isFile = segments.at(-1)?.includes('.') === true;
    return isDeletion && !isFile
      ? { kind: 'ask', reason: [because('deletes_memories')], risk: 'high' }
      : { kind: 'memory' };
  }
  if (mount !== undefined) return classifyInPlace(isDeletion, segments, mount);
  // Also asks if the agent may have meant the folder by `home\\me\\project`. As a plain name, it would harm nothing.
  const meant = segments.flatMap((name) => name.split('\\')).filter((name) => name !== '');
  if (!overlaps(segments, places.folder) && !overlaps(meant, places.folder)) return { kind: 'scratch' };
  if (isDeletion) return { kind: 'ask', reason: [because('deletes_from_folder')], risk: 'high' };
  return { kind: 'ask', reason: [because('changes_file')], risk: 'low' };
}

function classifyInPlace(isDeletion: boolean, segments: string[], mount: MountedPlace): Effect {
  const place = `${mount.path}/`;
  const { isAway } = mount;
  if (startsWithNamesOf(segments, mount.path) && !mount.asks(`/${segments.join('/')}`))
    return { kind: 'place', reason: [because('allowed_in_place', { place })], isAway };
  return isDeletion
    ? { kind: 'ask', reason: [because('deletes_from_place', { place })], risk: 'high', isAway }
    : { kind: 'ask', reason: [because('changes_place', { place })], risk: 'low', isAway };
}

function startsWithNamesOf(segments: string[], place: string): boolean {
  const root = namesOfPath(place) ?? [];
  return root.length <= segments.length && root.every((segment, index) => segment === segments[index]);
}

/** Below the place or above it: deleting `/home` would reach a folder mounted there. Case is ignored, as on some systems. */
function overlaps(segments: string[], place: string): boolean {
  const root = (namesOfPath(place) ?? []).map((segment) => segment.toLowerCase());
  const common = Math.min(root.length, segments.length);
  return root.slice(0, common).every((segment, index) => segment === segments[index]?.toLowerCase());
}
