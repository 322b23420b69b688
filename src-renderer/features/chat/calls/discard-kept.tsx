import type { CallId, ThreadId } from '@contract/ids';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../../../i18n';
import { call, toast } from '../../../link';
import { Button, useBusy } from '../../../ui';

/** Undoes what a command changed without asking. Files that others changed since are left as they are. */
export const DiscardKept = ({ threadId, callId }: { threadId: ThreadId; callId: CallId }) => {
  const t = useT();
  const [busy, during] = useBusy();
  const [isDiscarded, setDiscarded] = useState(false);
  if (isDiscarded) return <span className="px-1.5 text-small text-fg-3">{t('outcome.discarded')}</span>;
  const discard = async () => {
    const result = await during(
      call('changes.revert', { threadId, scope: { kind: 'call', callId }, force: false }),
    );
    if (!result.ok) return toast(result.error.message);
    if (result.value.status === 'asks') return toast(t('outcome.othersChanged'));
    const { conflicts } = result.value;
    if (conflicts.length > 0) return toast(t('changes.left', { count: conflicts.length }));
    setDiscarded(true);
  };
  return (
    <Button
      size="sm"
      variant="ghost"
      busy={busy}
      aria-label={t('outcome.discardKept')}
      icon={<Undo2 aria-hidden size={14} />}
      onClick={() => void discard()}
    >
      {t('outcome.discard')}
    </Button>
  );
};
