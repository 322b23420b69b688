import { ThreadId } from '@contract/ids';
import { call } from './store';

/** Texts too large for the browser's storage, kept until the window closes. */
const here = new Map<string, string>();

/** What the person has written, by key; '' if there is nothing. */
export const keptText = (key: string): string => here.get(key) ?? localStorage.getItem(key) ?? '';

/** The same as JSON; null if there is nothing, or another version or the person wrote something else. */
export function keptJson(key: string): unknown {
  try {
    return JSON.parse(keptText(key) || 'null');
  } catch {
    return null;
  }
}

/** Keeps what the person has written and not sent or saved yet, also across a restart or a crash. '' deletes it. */
export function keepText(key: string, text: string): void {
  if (text === '' && keptText(key) === '') return;
  here.delete(key);
  flushSoon();
  if (text === '') {
    localStorage.removeItem(key);
    return;
  }
  try {
    localStorage.setItem(key, text);
  } catch {
    // The storage is full: an older text there must not replace this one later.
    localStorage.removeItem(key);
    here.set(key, text);
  }
}

/** What is kept for a thread: unsent text, its attachments, edits of messages, the message of a commit, and the fields of cards. */
const KINDS = ['draft', 'attached', 'edit', 'commit', 'card'] as const;
type Kind = (typeof KINDS)[number];

/** The key of a text that goes with a thread, and is forgotten once the thread is erased. `part`: one of several. */
export const threadKey = (kind: Kind, threadId: ThreadId, part?: string): string =>
  `deepdesk:${kind}:${threadId}${part === undefined ? '' : `/${part}`}`;

const OF_THREAD = new RegExp(`^deepdesk:(?:${KINDS.join('|')}):([^/]+)`);

const threadOf = (key: string): string | undefined => OF_THREAD.exec(key)?.[1];

/** Threads with kept texts. */
export const threadsWithText = (): ThreadId[] =>
  keys().flatMap((key) => ThreadId.safeParse(threadOf(key)).data ?? []);

/** Forgets the texts of these threads. */
export function forgetTexts(threads: ReadonlySet<string>): void {
  for (const key of keys()) if (threads.has(threadOf(key) ?? '')) keepText(key, '');
}

const keys = (): string[] => [...Object.keys(localStorage), ...here.keys()];

/** The keys of a kind, of all threads. */
export const keptKeys = (kind: Kind): string[] => keptKeysFrom(`deepdesk:${kind}:`);

export const keptKeysFrom = (begin: string): string[] => keys().filter((key) => key.startsWith(begin));

/** Milliseconds from the first change until it is on the disk, so that changes close together share a write. */
const FLUSH_AFTER = 1_000;
let isDue = false;

/** Has the browser's storage written to the disk: a crash loses what Chromium has not written yet, which can be the last minute. */
function flushSoon(): void {
  if (isDue) return;
  isDue = true;
  setTimeout(() => {
    isDue = false;
    void call('window.flush', {});
  }, FLUSH_AFTER);
}
