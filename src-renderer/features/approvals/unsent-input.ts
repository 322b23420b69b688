import type { Approval } from '@contract/approvals';
import type { ThreadState } from '@contract/conversation';
import type { ApprovalId, ThreadId } from '@contract/ids';
import { useEffect } from 'react';
import { useT } from '../../i18n';
import { toast } from '../../link';
import { useCopy } from '../../ui';

/** What was written in the cards of each thread and not sent yet: the texts by card and field. */
const unsent = new Map<ThreadId, Map<ApprovalId, Map<string, string>>>();

type Card = Pick<Approval, 'threadId' | 'id'>;

/** The text of a field, or of a form with several fields. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value)
    .filter((part) => typeof part === 'string')
    .join('\n');
}

/** A field of a card was changed. */
export function noteUnsent({ threadId, id }: Card, field: string, value: unknown): void {
  const cards = unsent.get(threadId) ?? new Map<ApprovalId, Map<string, string>>();
  unsent.set(threadId, cards);
  const fields = cards.get(id) ?? new Map<string, string>();
  cards.set(id, fields.set(field, textOf(value)));
}

/** The person decides, so nothing that they wrote gets lost. Returns what undoes that, for a decision that fails. */
export function takeUnsent({ threadId, id }: Card): () => void {
  const fields = unsent.get(threadId)?.get(id);
  unsent.get(threadId)?.delete(id);
  return () => void (fields && unsent.get(threadId)?.set(id, fields));
}

/**
 * Says that a card went away with what the person was writing in it: its call was decided in another window, or its turn was
 * stopped. Offers to copy that.
 */
export function useLostInput(thread: ThreadState | undefined): void {
  const t = useT();
  const copy = useCopy();
  const approvals = thread?.approvals;
  const threadId = thread?.thread.id;
  useEffect(() => {
    if (threadId === undefined) return;
    for (const [card, fields] of unsent.get(threadId) ?? []) {
      if (approvals?.some(({ id }) => id === card)) continue;
      unsent.get(threadId)?.delete(card);
      const text = [...fields.values()].filter((one) => one.trim() !== '').join('\n\n');
      if (text === '') continue;
      toast(t('approvals.lostInput'), {
        label: t('approvals.copyInput'),
        run: () => copy(text, t('approvals.inputCopied')),
      });
    }
  }, [approvals, threadId, t, copy]);
}
