import type { ProjectId, ThreadId } from '@contract/ids';
import { call, screenKey, toast } from '../link';

/** Where windows keep what they show; the first one has the name itself. */
const VIEW = 'deepdesk:view';
const keyOf = (view: string) => `${VIEW}:${view}`;

/** The view of a window of that name: windows beside the first are named when they are opened, the first has none (''). */
export const viewName = (name: string): string => (/^[a-z0-9-]{1,40}$/.test(name) ? name : '');

/** Where this window keeps what it shows. */
export const viewKey = (name: string): string => (viewName(name) === '' ? VIEW : keyOf(name));

/**
 * Opens another window that begins with what this one shows, at a thread where one is named. What windows kept that are
 * there no more is forgotten.
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

/** The kept view with another place in it. */
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
    // Not written by this version: the new window begins as a first one does.
    return null;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
