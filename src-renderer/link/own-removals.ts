import type { ProjectId, ThreadId } from '@contract/ids';

/** More than is removed before the main process confirms it. */
const MAX_IDS = 500;

const own = new Set<ThreadId | ProjectId>();

/** This window is about to remove a thread or a project, so the person knows that it goes. */
export function noteRemoval(id: ThreadId | ProjectId): void {
  own.delete(id);
  own.add(id);
  const [oldest] = own;
  if (own.size > MAX_IDS && oldest !== undefined) own.delete(oldest);
}

/** Whether this window removed it, rather than another one. It may be restored and removed again, so it is told once. */
export const takeRemoval = (id: ThreadId | ProjectId): boolean => own.delete(id);
