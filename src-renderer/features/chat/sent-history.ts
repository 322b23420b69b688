import type { ProjectId } from '@contract/ids';

/** Messages that are kept a project, and UTF-16 units of one: what is longer is seldom said twice. */
const KEPT = 100;
const LONGEST = 10_000;
const keyOf = (projectId: ProjectId) => `deepdesk:said:${projectId}`;

/** What the person said in a project, newest first. */
export function readHistory(projectId: ProjectId): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(projectId)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
  } catch {
    // Written by another version, or by hand.
    return [];
  }
}

/** Puts a message in front. Not for what had secrets in it. */
export function remember(projectId: ProjectId, text: string): void {
  if (text.trim() === '' || text.length > LONGEST) return;
  const kept = [text, ...readHistory(projectId).filter((one) => one !== text)].slice(0, KEPT);
  try {
    localStorage.setItem(keyOf(projectId), JSON.stringify(kept));
  } catch {
    // Storage is full of drafts, which matter more.
    localStorage.removeItem(keyOf(projectId));
  }
}

/** Where one stands in what was said: -1 before it, at what is being written. */
export interface HistoryPlace {
  at: number;
  /** The text there, by which one knows that it is as it was. */
  text: string;
}

/** The message one further back (`by` 1) or forward; undefined where there is none, or the person changed the text. */
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
