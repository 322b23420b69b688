import { ThreadId } from '@contract/ids';
import { call } from './store';

/** Texts too large for the browser's storage, kept until the window closes. */
const here = new Map<string, string>();

/** What the person has written, by key; '' if there is nothing. */
export const keptText = (key: string): string => here.get(key) ?? localStorage.getItem(key) ?? '';

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

const OF_THREAD = /^deepdesk:(?:draft|attached|commit|written):([^/]+)/;

/** The key of a text that goes with a thread, and is forgotten once the thread is erased. */
export const threadKey = (
  kind: 'draft' | 'attached' | 'commit' | 'written',
  threadId: ThreadId,
  rest = '',
): string => `deepdesk:${kind}:${threadId}${rest}`;

const threadOf = (key: string): string | undefined => OF_THREAD.exec(key)?.[1];

/** Threads with kept texts. */
export const threadsWithText = (): ThreadId[] =>
  keptKeys('').flatMap((key) => ThreadId.safeParse(threadOf(key)).data ?? []);

/** Forgets the texts of these threads. */
export function forgetTexts(threads: ReadonlySet<string>): void {
  for (const key of keptKeys('')) if (threads.has(threadOf(key) ?? '')) keepText(key, '');
}

/** The keys of kept texts that start with `prefix`. */
export const keptKeys = (prefix: string): string[] =>
  [...Object.keys(localStorage), ...here.keys()].filter((key) => key.startsWith(prefix));

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
