import type { TerminalInfo } from '@contract/app';
import { Activity, Square } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../../i18n';
import { useApp } from '../../link';
import { Button, IconButton, Popover } from '../../ui';
import { Duration } from './command-list';

interface JobsButtonProps {
  jobs: readonly TerminalInfo[];
  onShow(terminal: TerminalInfo): void;
  onStop(terminal: TerminalInfo): void;
}

/** The background jobs of all threads in the project; hidden if there are none. */
export const JobsButton = ({ jobs, onShow, onStop }: JobsButtonProps) => {
  const t = useT();
  const [open, setOpen] = useState(false);
  const threads = useApp((app) => app.threads);
  if (jobs.length === 0) return null;
  return (
    <Popover
      label={t('terminal.jobsTitle')}
      align="end"
      width="22rem"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button size="sm" variant="ghost" icon={<Activity size={14} />}>
          {t('terminal.jobs', { count: jobs.length })}
        </Button>
      }
    >
      <h3 className="px-3 pt-2 pb-1 text-small text-fg-3">{t('terminal.jobsTitle')}</h3>
      <ul className="pb-1">
        {jobs.map((job) => (
          <li key={job.id} className="flex items-center gap-1 pr-2 hover:bg-hover">
            <button
              type="button"
              aria-label={t('terminal.jobShow', { command: job.command })}
              className="flex min-w-0 grow flex-col px-3 py-1.5 text-left -outline-offset-2"
              onClick={() => {
                setOpen(false);
                onShow(job);
              }}
            >
              <span className="w-full truncate font-mono text-code">{job.command}</span>
              <span className="flex w-full gap-1 text-small text-fg-3 tabular-nums">
                <span className="truncate">
                  {threads.find(({ id }) => id === job.threadId)?.title || t('terminal.untitled')}
                </span>
                <Duration terminal={job} />
              </span>
            </button>
            <IconButton
              size="sm"
              label={t('terminal.jobStop', { command: job.command })}
              icon={<Square size={12} />}
              onClick={() => onStop(job)}
            />
          </li>
        ))}
      </ul>
    </Popover>
  );
};
