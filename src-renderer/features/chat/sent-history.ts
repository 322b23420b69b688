import type { ProjectId } from '@contract/ids';

/** Messages kept per project, and maximum UTF-16 units of one; longer messages are rarely sent twice. */
const KEPT = 100;
const MAX_LENGTH = 10_000;
const keyOf = (projectId: ProjectId) => `deepdesk:said:${projectId}`;

/** The user's messages in a project, newest first. */
export function readHistory(projectId: ProjectId): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(projectId)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
  } catch {
    // Another version or a user wrote this value.
    return [];
  }
}

/** Adds a message at the front. Do not call it for messages with secrets. */
export function remember(projectId: ProjectId, text: string): void {
  if (text.trim() === '' || text.length > MAX_LENGTH) return;
  const kept = [text, ...readHistory(projectId).filter((one) => one !== text)].slice(0, KEPT);
  try {
    localStorage.setItem(keyOf(projectId), JSON.stringify(kept));
  } catch {
    // The storage is full of drafts, which are more important.
    localStorage.removeItem(keyOf(projectId));
  }
}

/** A position in the history: -1 is the current draft, before the first message. */
export interface HistoryPlace {
  at: number;
  /** The text at this position, to detect edits. */
  text: string;
}

/** The previous message (`by` 1) or the next one; undefined if there is none, or the user edited the text. */
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
