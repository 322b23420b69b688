import { isAbsolute, resolve } from 'node:path';
import { isWellFormed } from '../base/path-names';
import { ThreadId } from '../contract/ids';
import { hasOddCharacters } from '../contract/shared/shown-name';

/** What something outside wants of the app. A `link` may come from any web page: it is a wish, and never done by itself. */
export type Wish =
  | { kind: 'thread'; threadId: ThreadId }
  /** `link`: by an address; else the person named the folder to the system. Nothing was looked at yet. */
  | { kind: 'folder'; folder: string; by: 'link' | 'person' };

export const SCHEME = 'deepdesk';
/** UTF-16 units. */
const LONGEST_LINK = 8_192;
const LONGEST_PATH = 4_096;

/** Null for what is no address. */
export const addressOf = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);
export const isWeb = (url: URL) => url.protocol === 'http:' || url.protocol === 'https:';
export const isMail = (url: URL) => url.protocol === 'mailto:';

/** What an address of ours asks for; null for everything that is not exactly one of the two forms. */
export function wishOfLink(address: string): Wish | null {
  if (address.length > LONGEST_LINK) return null;
  const url = addressOf(address);
  if (url === null || url.protocol !== `${SCHEME}:` || url.username !== '' || url.hash !== '') return null;
  const path = url.pathname.replace(/^\/+|\/+$/g, '');
  // As it was written: a parser would make one thread of another's name and some dots.
  const thread = /^deepdesk:\/\/thread\/([\w-]{1,100})\/?$/i.exec(address)?.[1];
  if (thread !== undefined) return { kind: 'thread', threadId: ThreadId.parse(thread) };
  if (url.host !== 'project' || path !== '' || [...url.searchParams.keys()].join() !== 'path') return null;
  const folder = url.searchParams.get('path') ?? '';
  return isPlainFolder(folder) ? { kind: 'folder', folder, by: 'link' } : null;
}

/** An absolute path without surprises. A share of another machine is none: asking for it alone would say who asks. */
function isPlainFolder(folder: string): boolean {
  return (
    folder.length <= LONGEST_PATH &&
    isAbsolute(folder) &&
    !/^[\\/]{2}/.test(folder) &&
    !/\p{Cc}/u.test(folder) &&
    // What reads as another folder where the person is asked.
    !hasOddCharacters(folder) &&
    isWellFormed(folder) &&
    !folder.split(/[\\/]/).includes('..')
  );
}

/**
 * What the words on a command line ask for, the app's own folder and options left out. Folders are not looked for yet.
 * `cwd`: where the command was given.
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
