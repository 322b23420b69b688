import { type ProjectId, ThreadId } from '@contract/ids';

/** Messages kept per project, and maximum UTF-16 units of one; longer messages are rarely sent twice. */
const KEPT = 100;
const MAX_LENGTH = 10_000;
const PREFIX = 'deepdesk:said:';
const keyOf = (projectId: ProjectId) => PREFIX + projectId;

interface Said {
  text: string;
  /** Absent in what earlier versions kept. */
  thread?: ThreadId;
}

function readSaid(key: string): Said[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(kept) ? kept.flatMap((one) => saidOf(one) ?? []) : [];
  } catch {
    // Another version or a user wrote this value.
    return [];
  }
}

function saidOf(kept: unknown): Said | undefined {
  if (typeof kept === 'string') return { text: kept };
  if (typeof kept !== 'object' || kept === null || !('text' in kept) || !('thread' in kept)) return undefined;
  const thread = ThreadId.safeParse(kept.thread);
  return typeof kept.text === 'string' && thread.success
    ? { text: kept.text, thread: thread.data }
    : undefined;
}

function writeSaid(key: string, said: readonly Said[]): void {
  try {
    localStorage.setItem(key, JSON.stringify(said.map((one) => (one.thread === undefined ? one.text : one))));
  } catch {
    // The storage is full of drafts, which are more important.
    localStorage.removeItem(key);
  }
}

/** The person's messages in a project, newest first. */
export const readHistory = (projectId: ProjectId): string[] =>
  readSaid(keyOf(projectId)).map(({ text }) => text);

/** Adds a message at the front. Do not call it for messages with secrets. */
export function remember(projectId: ProjectId, thread: ThreadId, text: string): void {
  if (text.trim() === '' || text.length > MAX_LENGTH) return;
  const others = readSaid(keyOf(projectId)).filter((one) => one.text !== text);
  writeSaid(keyOf(projectId), [{ text, thread }, ...others].slice(0, KEPT));
}

const historyKeys = () => Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));

/** Threads to which the kept messages were sent. */
export const threadsInHistory = (): ThreadId[] =>
  historyKeys().flatMap((key) => readSaid(key).flatMap(({ thread }) => thread ?? []));

/** Forgets the messages that were sent to these threads. */
export function forgetSaid(threads: ReadonlySet<string>): void {
  for (const key of historyKeys()) {
    const said = readSaid(key);
    const left = said.filter(({ thread }) => thread === undefined || !threads.has(thread));
    if (left.length < said.length) writeSaid(key, left);
  }
}

/** A position in the history: -1 is the current draft, before the first message. */
export interface HistoryPlace {
  at: number;
  /** The text at this position, to detect edits. */
  text: string;
}

/** The previous message (`by` 1) or the next one; undefined if there is none, or the person edited the text. */
export function stepInHistory(
  said: readonly string[],
  place: HistoryPlace,
  draft: string,
  by: 1 | -1,
): HistoryPlace | undefined {
  if (place.at === -1 ? draft !== '' : draft !== place.text) return undefined;
  const at = place.at + by;
  if (at < -1 || at >= said.length) return undefined;
  return { at, text: said[at] ?? '' };
}
