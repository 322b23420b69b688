import type { RevertConflict, RevertOutcome, RevertScope } from '@contract/changes';
import type { ThreadId } from '@contract/ids';
import { create } from 'zustand';
import type { useT } from '../../i18n';
import { call, toast, toastUndo } from '../../link';

interface Question {
  threadId: ThreadId;
  scope: RevertScope;
  conflicts: readonly RevertConflict[];
  how: How;
}

interface How {
  /** Also removes changes by others. */
  force?: boolean;
  /** The place that asks shows what was done. */
  shownInPlace?: true | undefined;
}

/**
 * The question to confirm before a revert removes changes by others. It is outside of the panel because a message in the
 * conversation asks it too.
 */
export const useRevertQuestion = create<{ question: Question | null }>()(() => ({ question: null }));

type T = ReturnType<typeof useT>;

/** Reverts changes, asks first if others changed the same files, and offers to undo it. */
export async function revertChanges(
  threadId: ThreadId,
  scope: RevertScope,
  t: T,
  how: How = {},
): Promise<void> {
  const result = await call('changes.revert', { threadId, scope, force: how.force ?? false });
  useRevertQuestion.setState({ question: null });
  if (!result.ok) {
    toast(result.error.message);
    return;
  }
  if (result.value.status === 'asks') {
    useRevertQuestion.setState({ question: { threadId, scope, conflicts: result.value.conflicts, how } });
    return;
  }
  const isComplete = result.value.revertId !== null && result.value.conflicts.length === 0;
  if (how.shownInPlace === undefined || !isComplete) tell(threadId, scope, result.value, t);
}

function tell(
  threadId: ThreadId,
  scope: RevertScope,
  { files, revertId, conflicts }: Extract<RevertOutcome, { status: 'done' }>,
  t: T,
): void {
  const left = conflicts.length > 0 ? t('changes.left', { count: conflicts.length }) : '';
  if (revertId === null) {
    const nothing = t('changes.nothing');
    toast(left === '' ? nothing : t('app.sentences', { first: nothing, second: left }));
    return;
  }
  const done = t(scope.kind === 'revert' ? 'changes.restored' : 'changes.reverted', { count: files });
  toastUndo(
    left === '' ? done : t('changes.doneLeft', { done, left }),
    () => void revertChanges(threadId, { kind: 'revert', revertId }, t),
  );
}
