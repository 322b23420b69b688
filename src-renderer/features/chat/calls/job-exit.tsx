import type { ToolCall } from '@contract/conversation';
import type { ReactNode } from 'react';
import { useFormats, useT } from '../../../i18n';
import { useJob } from '../../../link';
import { cx } from '../../../ui';

/** Whether a call started a background job, which outlives the call. */
export const isJob = ({ display, args }: ToolCall): boolean =>
  display === 'command' && args.background === true;

const words = { stopped: 'tools.jobStopped', timed_out: 'tools.jobTimedOut', lost: 'tools.jobLost' } as const;

interface JobExitProps {
  call: ToolCall;
  /** How long the call took, shown as long as the job has not ended. Absent: no times. */
  took?: ReactNode;
}

/** Whether the job of a call is running, or how and after how long it ended. Its record may be gone. */
export const JobExit = ({ call: { callId }, took }: JobExitProps) => {
  const t = useT();
  const formats = useFormats();
  const job = useJob(callId);
  if (job === undefined) return took;
  const { status, exitCode, startedAt, endedAt } = job;
  if (status === 'running') return <span>{t('tools.stateRunning')}</span>;
  const said =
    status !== 'exited'
      ? t(words[status])
      : exitCode === null
        ? t('tools.stateFailed')
        : t('tools.exit', { code: exitCode });
  return (
    <>
      <span className={cx((status !== 'exited' || exitCode !== 0) && 'text-deny')}>{said}</span>
      {took !== undefined && endedAt !== null && <span>{formats.duration(endedAt - startedAt)}</span>}
    </>
  );
};
