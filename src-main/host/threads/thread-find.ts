import { setImmediate } from 'node:timers/promises';
import type { SnippetPart } from '../../contract/commands/search';
import { MessageId, type ThreadId } from '../../contract/ids';
import type { Storage } from '../../storage';
import type { LoadedThread } from './thread-pages';

/** Messages checked before yielding; about 5 ms. */
const BATCH_SIZE = 500;

interface Match {
  messageId: MessageId;
  count: number;
}

/** The visible parts of a message. */
interface Seen {
  role?: unknown;
  text?: unknown;
  calls?: unknown;
}

/** The searchable text of a message: its text and the arguments of its calls. */
function wordsOf(message: Seen): string {
  const parts = typeof message.text === 'string' ? [message.text] : [];
  if (Array.isArray(message.calls)) {
    for (const call of message.calls as { name?: unknown; args?: unknown }[]) {
      if (typeof call.name === 'string') parts.push(call.name);
      if (typeof call.args !== 'object' || call.args === null) continue;
      for (const value of Object.values(call.args)) if (typeof value === 'string') parts.push(value);
    }
  }
  return parts.join('\n');
}

/** Counts case-insensitive matches without overlap. */
function countIn(words: string, wanted: string): number {
  let count = 0;
  for (let at = words.indexOf(wanted); at !== -1; at = words.indexOf(wanted, at + wanted.length)) count += 1;
  return count;
}

/** Messages of a thread that contain the text, in order. Rejects with the signal's reason. */
export async function findInThread(
  storage: Storage,
  threadId: ThreadId,
  loaded: LoadedThread,
  text: string,
  signal: AbortSignal,
): Promise<Match[]> {
  const wanted = text.toLowerCase();
  const matches: Match[] = [];
  const look = (id: string, message: Seen) => {
    const count = countIn(wordsOf(message).toLowerCase(), wanted);
    if (count > 0) matches.push({ messageId: MessageId.parse(id), count });
  };
  if (loaded) {
    const { messages } = loaded.state;
    for (let at = 0; at < messages.length; at += BATCH_SIZE) {
      for (const message of messages.slice(at, at + BATCH_SIZE)) look(message.id, message);
      await setImmediate(undefined, { signal });
    }
    return matches;
  }
  for (let after = 0; ; ) {
    const rows = storage.messages.bodies(threadId, { after, limit: BATCH_SIZE });
    const last = rows.at(-1);
    if (last === undefined) return matches;
    for (const row of rows) look(row.id, read(row.body));
    after = last.position;
    await setImmediate(undefined, { signal });
  }
}

function read(body: string): Seen {
  try {
    return JSON.parse(body) as Seen;
  } catch {
    // Skips an unreadable row, as everywhere.
    return {};
  }
}

/** Characters shown before and after a match. */
const AROUND = 48;
const MAX_EXCERPT_LENGTH = 180;

/** The passage of a text with most of the words close together, on one line. */
export function snippetOf(text: string, query: string): SnippetPart[] {
  const words = query
    .toLowerCase()
    .split(/\s+/u)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
    .filter((word) => word !== '');
  const plain = text.replace(/\s+/gu, ' ');
  const lower = plain.toLowerCase();
  // Characters that change length in lower case would shift the offsets.
  const places = lower.length === plain.length ? words.map((word) => lower.indexOf(word)) : [];
  const first = Math.min(...places.filter((place) => place !== -1));
  const start = Number.isFinite(first) ? Math.max(0, first - AROUND) : 0;
  const shown = plain.slice(start, start + MAX_EXCERPT_LENGTH);
  const parts: SnippetPart[] = [];
  const put = (piece: string, hit: boolean) => {
    if (piece !== '') parts.push({ text: piece, hit });
  };
  if (start > 0) put('…', false);
  let rest = 0;
  if (words.length > 0 && places.length > 0) {
    const any = new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'giu');
    for (const found of shown.matchAll(any)) {
      put(shown.slice(rest, found.index), false);
      put(found[0], true);
      rest = found.index + found[0].length;
    }
  }
  put(shown.slice(rest), false);
  if (start + MAX_EXCERPT_LENGTH < plain.length) put('…', false);
  return parts;
}
