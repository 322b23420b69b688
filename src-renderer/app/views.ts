import type { ProjectId, ThreadId } from '@contract/ids';
import { call, screenKey, toast } from '../link';

/** The storage key of the view; the first window uses it unchanged. */
const VIEW = 'deepdesk:view';
const keyOf = (view: string) => `${VIEW}:${view}`;

/** The view of a window with that name. Additional windows are named when they open; the first one has no name (''). */
export const viewName = (name: string): string => (/^[a-z0-9-]{1,40}$/.test(name) ? name : '');

/** The storage key of this window's view. */
export const viewKey = (name: string): string => (viewName(name) === '' ? VIEW : keyOf(name));

/**
 * Opens another window that starts with this window's view, at a given thread if there is one. Drops the views of windows
 * that no longer exist.
 */
export async function openWindowAt(place: {
  projectId: ProjectId | null;
  threadId: ThreadId | null;
}): Promise<void> {
  const view = crypto.randomUUID();
  const mine = localStorage.getItem(viewKey(window.name));
  localStorage.setItem(keyOf(view), viewAt(mine, place));
  const result = await call('window.open', { view });
  if (!result.ok) {
    localStorage.removeItem(keyOf(view));
    toast(result.error.message);
    return;
  }
  const kept = new Set(result.value.views.flatMap((one) => [keyOf(one), screenKey(one)]));
  for (const key of Object.keys(localStorage))
    if (/^deepdesk:(?:view|screen):/.test(key) && !kept.has(key)) localStorage.removeItem(key);
}

/** The saved view with another place in it. */
function viewAt(kept: string | null, place: object): string {
  const parsed = parse(kept);
  const before = isObject(parsed) ? parsed : {};
  const state = isObject(before.state) ? before.state : {};
  return JSON.stringify({ version: 1, ...before, state: { ...state, ...place } });
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    // Another version wrote it: the new window starts like a first one.
    return null;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
