import { isAbsolute, resolve } from 'node:path';
import { isWellFormed } from '../base/path-names';
import { ThreadId } from '../contract/ids';
import { hasOddCharacters } from '../contract/shared/shown-name';

/** A request from outside the app. A `link` may come from any web page, so it needs confirmation. */
export type Wish =
  | { kind: 'thread'; threadId: ThreadId }
  /** `link`: from a URL; else the person named the folder to the system. Nothing is checked yet. */
  | { kind: 'folder'; folder: string; by: 'link' | 'person' };

export const SCHEME = 'deepdesk';
/** UTF-16 units. */
const MAX_LINK_LENGTH = 8_192;
const MAX_PATH_LENGTH = 4_096;

/** Null if the text is not a URL. */
export const addressOf = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);
export const isWeb = (url: URL) => url.protocol === 'http:' || url.protocol === 'https:';
export const isMail = (url: URL) => url.protocol === 'mailto:';

/** Parses one of our deep links; null for everything that does not match one of the two forms exactly. */
export function wishOfLink(address: string): Wish | null {
  if (address.length > MAX_LINK_LENGTH) return null;
  const url = addressOf(address);
  if (url === null || url.protocol !== `${SCHEME}:` || url.username !== '' || url.hash !== '') return null;
  const path = url.pathname.replace(/^\/+|\/+$/g, '');
  // Matches the raw text: a URL parser would turn another name and some dots into a valid thread id.
  const thread = /^deepdesk:\/\/thread\/([\w-]{1,100})\/?$/i.exec(address)?.[1];
  if (thread !== undefined) return { kind: 'thread', threadId: ThreadId.parse(thread) };
  if (url.host !== 'project' || path !== '' || [...url.searchParams.keys()].join() !== 'path') return null;
  const folder = url.searchParams.get('path') ?? '';
  return isPlainFolder(folder) ? { kind: 'folder', folder, by: 'link' } : null;
}

/** A plain absolute path. Shares of other machines are excluded: opening one would reveal who the person is. */
function isPlainFolder(folder: string): boolean {
  return (
    folder.length <= MAX_PATH_LENGTH &&
    isAbsolute(folder) &&
    !/^[\\/]{2}/.test(folder) &&
    !/\p{Cc}/u.test(folder) &&
    // Rejects characters that make a path read as another folder in the dialog.
    !hasOddCharacters(folder) &&
    isWellFormed(folder) &&
    !folder.split(/[\\/]/).includes('..')
  );
}

/**
 * Parses the words of a command line, without the app's own folder and options. Does not check that folders exist. `cwd`:
 * the caller's directory.
 */
export function wishesOf(args: readonly string[], cwd: string, appFolder: string): Wish[] {
  return args.flatMap((arg): Wish[] => {
    if (arg.startsWith('-') || arg === '') return [];
    if (arg.toLowerCase().startsWith(`${SCHEME}:`)) {
      const wish = wishOfLink(arg);
      return wish === null ? [] : [wish];
    }
    if (arg.startsWith('file:') || arg.includes('\0')) return [];
    const folder = resolve(cwd, arg);
    return folder === resolve(appFolder) ? [] : [{ kind: 'folder', folder, by: 'person' }];
  });
}
