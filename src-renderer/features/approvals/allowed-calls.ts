import type { Approval } from '@contract/approvals';
import type { ProjectId, ThreadId } from '@contract/ids';
import { useSyncExternalStore } from 'react';

/** Low-risk calls that the person allowed since the window opened, the most recent ones. */
let allowed: readonly Approval[] = [];
const listeners = new Set<() => void>();
const MAX_KEPT = 20;

/** Records a call that the person allowed. */
export function noteAllowed(approval: Approval): void {
  if (approval.risk !== 'low' || approval.outcome !== undefined) return;
  allowed = [...allowed, approval].slice(-MAX_KEPT);
  for (const tell of listeners) tell();
}

const dismissedKey = (projectId: ProjectId) => `mode offer ${projectId}`;

/** Whether the person declined the offer of another mode for a project. */
export const isDismissed = (projectId: ProjectId): boolean =>
  localStorage.getItem(dismissedKey(projectId)) !== null;

export function dismiss(projectId: ProjectId): void {
  localStorage.setItem(dismissedKey(projectId), '1');
  allowed = [];
  for (const tell of listeners) tell();
}

/** The low-risk calls that were allowed in these threads. */
export function useAllowed(threads: ReadonlySet<ThreadId>): readonly Approval[] {
  const all = useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    () => allowed,
  );
  return all.filter(({ threadId }) => threads.has(threadId));
}
