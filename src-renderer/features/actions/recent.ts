/** Number of items that the palette shows first. */
const KEPT = 8;
const KEY = 'deepdesk.recentActions';
/** Never offered first: Enter right after the palette opens would delete something. */
const NEVER_FIRST = 'action:deleteThread';

/** The ids of the items that were last chosen, newest first. */
export function recentItems(): string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string' && id !== NEVER_FIRST) : [];
  } catch {
    // This is only view state, so an unreadable value counts as missing.
    return [];
  }
}

export function rememberItem(id: string): void {
  if (id === NEVER_FIRST) return;
  const rest = recentItems().filter((other) => other !== id);
  localStorage.setItem(KEY, JSON.stringify([id, ...rest].slice(0, KEPT)));
}
