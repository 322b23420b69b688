import type { Project } from '@contract/app';
import type { Approval } from '@contract/approvals';
import { Box } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useT } from '../../i18n';
import { call, useApp } from '../../link';
import { Button, ExactText } from '../../ui';
import { dismiss, isDismissed, useAllowed } from './allowed-calls';
import { headingOf } from './heading';
import { setMode } from './mode-switch';

/** The number of low-risk calls allowed one by one after which the other mode is offered. */
const OFFER_AFTER = 3;

/** After some low-risk approvals, offers the mode that would not have asked, with those calls. */
export const ModeOffer = ({ project }: { project: Project }) => {
  const t = useT();
  const would = useWouldRun(project);
  if (would.length < OFFER_AFTER) return null;
  const mode = t('modes.auto-sandbox');
  return (
    <section aria-label={t('approvals.offer')} className="shrink-0 border-b border-line bg-sunken px-4 py-2">
      <div className="flex flex-wrap items-center gap-2">
        <Box aria-hidden size={14} className="shrink-0 text-fg-3" />
        <p role="status" className="min-w-0 grow basis-60 text-small">
          {t('approvals.offerText', { count: would.length, mode })}
        </p>
        <div className="ml-auto flex gap-2">
          <Button size="sm" variant="ghost" onClick={() => dismiss(project.id)}>
            {t('approvals.offerNo')}
          </Button>
          <Button size="sm" onClick={() => void setMode(project, 'auto-sandbox', true)}>
            {t('approvals.offerYes')}
          </Button>
        </div>
      </div>
      <ul className="mt-1 max-h-20 overflow-y-auto pl-5.5">
        {would.map((approval) => (
          <li key={approval.id} className="truncate font-mono text-code text-fg-2">
            <ExactText
              text={
                approval.preview.kind === 'command'
                  ? (approval.preview.command.split('\n')[0] ?? '')
                  : headingOf(approval, project.mount, t)
              }
              strict
            />
          </li>
        ))}
      </ul>
    </section>
  );
};

/** The allowed calls that the sandbox mode would have run, once there are enough of them. */
function useWouldRun(project: Project): readonly Approval[] {
  const threads = useApp((app) => app.threads);
  const hasSandbox = useApp((app) => app.sandbox?.kind != null);
  const own = useMemo(
    () => new Set(threads.filter(({ projectId }) => projectId === project.id).map(({ id }) => id)),
    [threads, project.id],
  );
  const allowed = useAllowed(own);
  const [would, setWould] = useState<readonly Approval[]>([]);
  const isOffered = hasSandbox && (project.mode ?? 'ask-risky') === 'ask-risky' && !isDismissed(project.id);
  const key = isOffered && allowed.length >= OFFER_AFTER ? allowed.map(({ id }) => id).join(' ') : '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key represents the calls
  useEffect(() => {
    setWould([]);
    if (key === '') return;
    let wanted = true;
    const calls = allowed.map(({ tool, args }) => ({ tool, args }));
    void call('approval.wouldRun', { projectId: project.id, mode: 'auto-sandbox', calls }).then((result) => {
      if (wanted && result.ok) setWould(allowed.filter((_, at) => result.value.runs[at] === true));
    });
    return () => {
      wanted = false;
    };
  }, [key, project.id]);
  return would;
}
