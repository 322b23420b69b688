/** Number of items that the palette shows first. */
const KEPT = 8;
const KEY = 'deepdesk.recentActions';

/** The ids of the items that were last chosen, newest first. */
export function recentItems(): string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    // This is only view state, so an unreadable value counts as missing.
    return [];
  }
}

export function rememberItem(id: string): void {
  const rest = recentItems().filter((other) => other !== id);
  localStorage.setItem(KEY, JSON.stringify([id, ...rest].slice(0, KEPT)));
}
