import type { CallProgress as Progress } from '@contract/conversation';
import { useFormats, useT } from '../../../i18n';
import { Bar, ExactText } from '../../../ui';

/** How far a call of an MCP server is: its words, and a share if it says how much there is. */
export const CallProgress = ({ progress: { done, total, message } }: { progress: Progress }) => {
  const t = useT();
  const formats = useFormats();
  const percent =
    total !== undefined && total > 0 ? Math.round(Math.max(0, Math.min(1, done / total)) * 100) : null;
  return (
    <>
      {message !== undefined && (
        <span title={message} className="max-w-60 truncate">
          <ExactText text={message} />
        </span>
      )}
      {percent === null ? (
        <span>{formats.number(done)}</span>
      ) : (
        <>
          <span
            role="progressbar"
            aria-label={t('tools.progress')}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={percent}
            className="w-16"
          >
            <Bar share={percent / 100} tone="accent" />
          </span>
          <span>{t('tools.percent', { percent })}</span>
        </>
      )}
    </>
  );
};
