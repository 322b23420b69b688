import type { Retry } from '@contract/conversation';
import type { ThreadId } from '@contract/ids';
import { Square } from 'lucide-react';
import { useMemo } from 'react';
import { useT } from '../../i18n';
import { call, toast } from '../../link';
import { Button, Spinner, useElapsed, useFocusBack } from '../../ui';

const SECOND = 1_000;

/** A countdown to the retry of a request, with a button to stop waiting. */
export const RetryLine = ({ threadId, retry }: { threadId: ThreadId; retry: Retry }) => {
  const t = useT();
  const { until } = retry;
  const wait = useMemo(() => ({ from: Date.now(), ms: until - Date.now() }), [until]);
  const seconds = Math.ceil((wait.ms - useElapsed(wait.from)) / SECOND);
  const reason = t(reasonOf(retry));
  const keepsFocus = useFocusBack(retry);
  const stop = async () => {
    const result = await call('thread.stop', { threadId });
    if (!result.ok) toast(result.error.message);
  };
  return (
    <div className="flex min-h-6 items-center gap-2 text-fg-2" {...keepsFocus}>
      <Spinner size={14} />
      {/* Announced once, not every second. */}
      <span role="status" className="sr-only">
        {t('chat.retrying', { reason })}
      </span>
      <span aria-hidden className="tabular-nums">
        {seconds > 0 ? t('chat.retryIn', { seconds, reason }) : t('chat.retrying', { reason })}
      </span>
      <Button size="sm" icon={<Square size={12} />} onClick={() => void stop()}>
        {t('chat.stop')}
      </Button>
    </div>
  );
};

function reasonOf({ error }: Retry) {
  switch (error.kind) {
    case 'rate_limited':
      return 'chat.reasonRateLimited';
    case 'overloaded':
      return 'chat.reasonOverloaded';
    case 'network':
    case 'timeout':
    case 'stream_cut':
      return 'chat.reasonNetwork';
    default:
      return 'chat.reasonOther';
  }
}
